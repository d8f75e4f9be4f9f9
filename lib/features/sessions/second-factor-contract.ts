import { z } from "zod";
import { Code, RecoveryCode } from "@/lib/features/sessions/second-factors/contract";
import { PasskeyProof } from "@/lib/features/sessions/second-factors/passkey-contract";
import { endpoint } from "@/lib/protocol/endpoint";
import { boundedText } from "@/lib/protocol/formats";

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
