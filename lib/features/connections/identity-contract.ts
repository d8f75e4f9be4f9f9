import { z } from "zod";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { boundedText, InstantAnswer } from "@/lib/protocol/formats";

export const Identity = z.object({
  id: z.string(),
  connection: z
    .object({ id: z.string(), name: z.string() })
    .meta({ description: "The connection to the identity provider" }),
  issuer: z.string().meta({ description: "The provider, as it writes itself in ID tokens" }),
  subject: z.string().meta({ description: "What the provider calls the person" }),
  createdAt: InstantAnswer,
  lastUsedAt: InstantAnswer.optional(),
});

export type Identity = z.infer<typeof Identity>;

const said = (description: string) => z.string().nullable().meta({ description });

export const Provisioned = z.object({
  connection: z.string().meta({ description: "The connection that provisions the person" }),
  externalId: said("What the provider calls the person"),
  givenName: said("The given name, as the provider has it"),
  familyName: said("The family name, as the provider has it"),
  changedAt: InstantAnswer.meta({ description: "When the provider changed it last" }),
});

export const SignInConnection = z.object({
  id: z.string(),
  name: z.string().meta({ description: "What the button of the sign-in page shows" }),
  url: z.string().meta({ description: "The address to open in a browser to sign in" }),
});

export type SignInConnection = z.infer<typeof SignInConnection>;

export const listSignInConnections = endpoint({
  operation: "GET /v1/user/sign-in-connections",
  summary: "List the identity providers at which people of the tenant can sign in",
  description:
    "For who is not signed in yet. A tenant that does not exist is answered like one without a provider.",
  credentials: [],
  limits: { address: "login" },
  answer: z.array(SignInConnection),
});

export const SignInMethods = z.object({
  passkey: z.boolean().meta({
    description:
      "Whether a passkey alone signs in: the policy of the tenant allows it, and the host of `PUBLIC_URL` is one that browsers keep passkeys for",
  }),
  connections: z
    .array(SignInConnection)
    .meta({ description: "The enabled identity providers of the tenant" }),
});

export type SignInMethods = z.infer<typeof SignInMethods>;

export const listSignInMethods = endpoint({
  operation: "GET /v1/user/sign-in-methods",
  summary: "Show by what people of the tenant can sign in in addition to a password",
  description:
    "For who is not signed in yet. A tenant that does not exist is answered like one that has set up nothing.",
  credentials: [],
  limits: { address: "login" },
  answer: SignInMethods,
});

export const listIdentities = endpoint({
  operation: "GET /v1/user/identities",
  summary: "List the accounts at identity providers that sign one in, newest first",
  ...inSession("ownAccount"),
  permission: "any-role",
  answer: z.array(Identity),
  codes: ["user.other-home"],
});

export const deleteIdentity = endpoint({
  operation: "DELETE /v1/user/identities/{id}",
  summary: "Unlink an account at an identity provider: it no longer signs one in",
  ...inSession("ownAccount"),
  permission: "any-role",
  stepUp: "always",
  status: 204,
  codes: ["user.other-home", "identity.not-found", "identity.only-way"],
});

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

export const SignInSafety = z.object({
  connectionSignIn: z.boolean().meta({
    description:
      "Whether a tenant.admin signed in through an enabled connection within the last hour",
  }),
  lastConnectionSignInAt: InstantAnswer.optional().meta({
    description: "When a tenant.admin did so last",
  }),
  emergencyAdministrator: z.boolean().meta({
    description: "Whether an emergency administrator with password and second factor can sign in",
  }),
});

export type SignInSafety = z.infer<typeof SignInSafety>;

export const getSignInSafety = endpoint({
  operation: "GET /v1/tenant/sign-in-safety",
  summary: "Show whether passwords can be limited to emergency administrators without a lock-out",
  ...inSession("securityPolicy"),
  permission: "tenant.manage",
  isTenantWide: true,
  answer: SignInSafety,
});
