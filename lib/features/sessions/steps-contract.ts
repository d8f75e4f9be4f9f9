import { z } from "zod";
import { Code, RecoveryCode, RecoveryCodes } from "@/lib/features/sessions/second-factors/contract";
import {
  NewPasskey,
  NewPasskeyOptions,
  PasskeyProof,
  PasskeyProofOptions,
} from "@/lib/features/sessions/second-factors/passkey-contract";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { boundedText, InstantAnswer, Label, PasswordText, Slug } from "@/lib/protocol/formats";

export const SecondFactorLogin = z
  .strictObject({
    challenge: boundedText(64).meta({
      description: "The reason of auth.second-factor-required",
    }),
    code: Code.optional(),
    recoveryCode: RecoveryCode.optional(),
    passkey: PasskeyProof.optional(),
  })
  .refine(
    ({ code, recoveryCode, passkey }) =>
      [code, recoveryCode, passkey].filter((one) => one !== undefined).length === 1,
    {
      path: ["code"],
      message: "or /recoveryCode or /passkey must be given, and one of them alone",
    },
  );

export const secondFactorLogin = endpoint({
  example: { body: { challenge: "svf_4Wq...", code: "123456" } },
  operation: "POST /v1/user/session-login/second-factor",
  summary: "Obtain a session for a sign-in whose password was right and that needs a second factor",
  credentials: [],
  limits: { body: 16 * 1024, address: "login" },
  body: SecondFactorLogin,
  answer: z.object({ sessionId: z.string() }),
  codes: [
    "auth.challenge-invalid",
    "auth.second-factor-failed",
    "second-factor.unreadable",
    "auth.password-expired",
    "auth.password-not-accepted",
    "auth.too-many-attempts",
    "site.unknown",
    "user.locked",
    "user.deactivated",
    "user.no-role",
  ],
});

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

const challenge = boundedText(64).meta({
  description: "The reason of auth.second-factor-setup-required",
});

const byChallenge = {
  credentials: [],
  limits: { body: 32 * 1024, address: "login" },
} as const;

export const beginSetUp = endpoint({
  example: { body: { challenge: "svf_4Wq..." } },
  operation: "POST /v1/user/session-login/set-up",
  summary:
    "Begin to set up the second factor that the tenant requires: an authenticator app or a passkey",
  description:
    "The challenge is good for 30 minutes, from the network that the password came from, and for nothing but these two operations. A further call replaces the secret.",
  ...byChallenge,
  body: z.strictObject({ challenge }),
  answer: z.object({
    totp: z
      .object({
        id: z.string(),
        secret: z.string().meta({ description: "In base32" }),
        uri: z.string().meta({ description: "otpauth:, for a QR code" }),
      })
      .meta({ description: "For an authenticator app" }),
    passkey: NewPasskeyOptions.meta({ description: "For navigator.credentials.create()" }),
  }),
  codes: ["auth.challenge-invalid"],
});

/** The data to set up a second factor: an authenticator app, or a passkey. */
export type SetUpStep = z.infer<NonNullable<typeof beginSetUp.answer>>;

export const FinishSetUp = z
  .strictObject({
    challenge,
    totp: z
      .strictObject({ id: boundedText(64), code: Code })
      .optional()
      .meta({ description: "The authenticator app, and a code that it shows" }),
    passkey: NewPasskey.optional(),
    name: Label.optional(),
  })
  .refine(({ totp, passkey }) => (totp === undefined) !== (passkey === undefined), {
    path: ["totp"],
    message: "or /passkey must be given, and one of them alone",
  });

export const finishSetUp = endpoint({
  example: { body: { challenge: "svf_4Wq...", totp: { id: "fac_01j...", code: "123456" } } },
  operation: "POST /v1/user/session-login/set-up/confirm",
  summary: "Set up the required second factor, and obtain a session and ten recovery codes",
  ...byChallenge,
  body: FinishSetUp,
  answer: z.object({ sessionId: z.string(), recoveryCodes: RecoveryCodes }),
  codes: ["auth.challenge-invalid", "second-factor.not-found"],
});

export const AuthenticatedBy = z.array(z.string()).meta({
  description:
    "How the person was authenticated then: password, totp, recovery-code, passkey (which counts as two factors), connection (an identity provider)",
  examples: [["password", "totp"]],
});

export const StepUp = z
  .strictObject({
    password: PasswordText.optional(),
    code: Code.optional(),
    recoveryCode: RecoveryCode.optional(),
    passkey: PasskeyProof.optional(),
  })
  .refine(
    ({ password, code, recoveryCode, passkey }) =>
      [password, code, recoveryCode, passkey].filter((one) => one !== undefined).length === 1,
    {
      path: ["password"],
      message: "or /code or /recoveryCode or /passkey must be given, and one of them alone",
    },
  );

export const stepUpSession = endpoint({
  operation: "POST /v1/user/session/step-up",
  summary: "Confirm one's identity, for operations that need a recent proof of it",
  description:
    "With the password, or with a code, recovery code or passkey by who has a second factor: then the password is not enough.",
  ...inSession("ownAccount"),
  limits: { body: 16 * 1024 },
  body: StepUp,
  answer: z.object({
    authenticatedAt: InstantAnswer.meta({ description: "Now: the proof is fresh from here on" }),
    authenticatedBy: AuthenticatedBy,
  }),
  codes: [
    "second-factor.unreadable",
    "auth.password-not-accepted",
    "auth.too-many-attempts",
    "auth.busy",
  ],
});
