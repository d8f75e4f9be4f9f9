import { z } from "zod";
import { Code, RecoveryCode } from "@/lib/features/sessions/second-factors/contract";
import { PasskeyProof } from "@/lib/features/sessions/second-factors/passkey-contract";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { InstantAnswer, PasswordText } from "@/lib/protocol/formats";

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
