import { z } from "zod";
import {
  PasskeyProof,
  PasskeyProofOptions,
} from "@/lib/features/sessions/second-factors/passkey-contract";
import { endpoint } from "@/lib/protocol/endpoint";
import { Slug } from "@/lib/protocol/formats";

const tenant = z.string().min(1).max(512);

export const passkeyLoginOptions = endpoint({
  operation: "POST /v1/user/passkey-login/options",
  summary: "Begin a sign-in by passkey: the answer is for navigator.credentials.get()",
  description:
    "Also for a passkey as second factor or step-up. The same for every tenant, whether it exists and whoever has a passkey there; nothing is stored.",
  credentials: [],
  limits: { body: 8 * 1024, address: "passkey-options" },
  replay: { isSafe: true },
  body: z.strictObject({ tenant }),
  answer: PasskeyProofOptions,
  codes: ["tenant.mismatch"],
});

export const PasskeyLogin = z.strictObject({
  tenant,
  passkey: PasskeyProof,
  site: Slug.optional(),
});

export const passkeyLogin = endpoint({
  operation: "POST /v1/user/passkey-login",
  summary: "Obtain a session by a passkey, which counts as both factors, in one's home tenant",
  credentials: [],
  limits: { body: 16 * 1024, address: "login" },
  body: PasskeyLogin,
  answer: z.object({ sessionId: z.string() }),
  codes: [
    "tenant.mismatch",
    "site.unknown",
    "auth.passkey-failed",
    "auth.passkey-not-accepted",
    "user.locked",
    "user.deactivated",
    "user.no-role",
    "auth.password-expired",
  ],
});
