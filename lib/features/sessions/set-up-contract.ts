import { z } from "zod";
import { Code, RecoveryCodes } from "@/lib/features/sessions/second-factors/contract";
import {
  NewPasskey,
  NewPasskeyOptions,
} from "@/lib/features/sessions/second-factors/passkey-contract";
import { endpoint } from "@/lib/protocol/endpoint";
import { boundedText, Label } from "@/lib/protocol/formats";

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

/** What sets a second factor up: an authenticator app, or a passkey. */
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
