import { z } from "zod";
import { endpoint } from "@/lib/protocol/endpoint";
import { boundedText } from "@/lib/protocol/formats";

const compact = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const message = "must be a signed JWT";

export const LogoutForm = z.object({
  logout_token: boundedText(8192, message).regex(compact, message).meta({
    description:
      "Signed by the provider for the client ID of the connection, issued within the last five minutes; each counts once",
  }),
});

export const endSessionsByProvider = endpoint({
  example: { body: { logout_token: "eyJhbGciOiJSUzI1NiJ9.eyJqdGkiOiI0Mi05In0.c2lnbmVk" } },
  operation: "POST /v1/sso/{connection}/backchannel-logout",
  summary: "End the sessions of whom an identity provider signed out",
  description:
    "OpenID Connect Back-Channel Logout 1.0: the provider calls it, with a logout token that it signed. The sessions that came from the session sid of the provider end, or all that came from the identity sub; sessions opened with a password or passkey stay. A connection that does not exist is answered like a token that is not accepted.",
  credentials: [],
  limits: { body: 16 * 1024, address: "provider-sign-out" },
  scope: "none",
  consumes: "application/x-www-form-urlencoded",
  body: LogoutForm,
  codes: ["sign-out.token-invalid"],
});
