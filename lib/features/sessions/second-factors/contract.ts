import { z } from "zod";
import { userGuardCodes } from "@/lib/protocol/code-groups";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { boundedText, InstantAnswer, Label, Reason } from "@/lib/protocol/formats";

export const SecondFactor = z.object({
  id: z.string(),
  kind: z.enum(["totp", "passkey"]),
  name: z.string(),
  createdAt: InstantAnswer,
  lastUsedAt: InstantAnswer.optional(),
});

export type SecondFactor = z.infer<typeof SecondFactor>;

/** Six digits as a user types them: spaces are ignored. */
export const Code = boundedText(16)
  .transform((text) => text.replace(/\s/g, ""))
  .refine((text) => /^[0-9]{6}$/.test(text), { message: "must be the 6 digits that the app shows" })
  .meta({
    type: "string",
    description: "The 6 digits that the authenticator app shows",
    examples: ["123456"],
  });

export const RecoveryCode = boundedText(64).meta({
  description: "One of the recovery codes; case, spaces and hyphens do not count",
  examples: ["7k3md-92wqx"],
});

export const RecoveryCodes = z
  .array(z.string())
  .meta({ description: "Shown only here; each works once" });

/** Factors decide who can sign in: adding or removing one always requires a recent proof of identity. */
const own = { ...inSession("ownAccount"), permission: "any-role", stepUp: "always" } as const;

export const listSecondFactors = endpoint({
  operation: "GET /v1/user/second-factors",
  summary: "List one's own second factors that are set up, newest first, in the home tenant",
  ...inSession("ownAccount"),
  permission: "any-role",
  answer: z.array(SecondFactor),
  codes: ["user.other-home"],
});

export const createSecondFactor = endpoint({
  operation: "POST /v1/user/second-factors",
  summary:
    "Begin to set up an authenticator app (TOTP): its secret is in this answer and nowhere afterwards",
  description:
    "SHA-1, 6 digits, 30 seconds. It counts once POST /v1/user/second-factors/{id}/confirm was given a code, within an hour. A further call replaces what was not confirmed.",
  ...own,
  status: 201,
  body: z.strictObject({ kind: z.literal("totp"), name: Label.optional() }),
  answer: SecondFactor.omit({ createdAt: true, lastUsedAt: true }).extend({
    kind: z.literal("totp"),
    secret: z.string().meta({ description: "In base32" }),
    uri: z.string().meta({ description: "otpauth:, for a QR code" }),
    isConfirmed: z
      .literal(false)
      .meta({ description: "Until a code confirmed it, it counts for nothing" }),
  }),
  replay: { secretId: "id" },
  codes: ["user.other-home", "user.no-password", "second-factor.limit-reached"],
});

export const confirmSecondFactor = endpoint({
  example: { body: { code: "123456" } },
  operation: "POST /v1/user/second-factors/{id}/confirm",
  summary:
    "Confirm an authenticator app by a code; the first one is answered ten recovery codes and ends one's other sessions",
  ...own,
  body: z.strictObject({ code: Code }),
  answer: z.object({ recoveryCodes: RecoveryCodes.optional() }),
  replay: { secretId: null },
  codes: ["user.other-home", "second-factor.not-found", "second-factor.confirmed"],
});

export const deleteSecondFactor = endpoint({
  operation: "DELETE /v1/user/second-factors/{id}",
  summary: "Remove one of one's own second factors; the recovery codes go with the last one",
  ...own,
  status: 204,
  codes: ["user.other-home", "second-factor.not-found", "emergency-administrator.last"],
});

export const countRecoveryCodes = endpoint({
  operation: "GET /v1/user/second-factors/recovery-codes",
  summary: "Show how many of one's own recovery codes are left; the codes are not shown again",
  ...inSession("ownAccount"),
  permission: "any-role",
  answer: z.object({
    recoveryCodesLeft: z.int().meta({ description: "How many were not used" }),
  }),
  codes: ["user.other-home"],
});

export const createRecoveryCodes = endpoint({
  operation: "POST /v1/user/second-factors/recovery-codes",
  summary: "Replace one's own recovery codes by ten new ones",
  ...own,
  answer: z.object({ recoveryCodes: RecoveryCodes }),
  replay: { secretId: null },
  codes: ["user.other-home", "second-factor.not-set-up"],
});

export const resetSecondFactors = endpoint({
  operation: "POST /v1/user/{id}/reset-second-factors",
  summary:
    "Remove all second factors and recovery codes of a user who lost them, and end the user's sessions; the user is notified",
  ...inSession("secondFactors"),
  permission: "user.manage",
  stepUp: "always",
  body: z.strictObject({ reason: Reason }),
  status: 204,
  codes: [
    ...userGuardCodes,
    "user.oneself",
    "user.other-home",
    "second-factor.not-set-up",
    "emergency-administrator.last",
  ],
});
