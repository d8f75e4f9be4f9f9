import { z } from "zod";
import { keyStateCodes, ownerGuardCodes } from "@/lib/protocol/code-groups";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { Duration, InstantAnswer } from "@/lib/protocol/formats";
import { maxHandOffSeconds, maxSealedLength, minHandOffSeconds, minSealedLength } from "./values";

const Sealed = z
  .string()
  .min(minSealedLength)
  .max(maxSealedLength)
  .regex(/^[\w-]+$/, { message: "must be base64url without padding" })
  .meta({
    description: "The secret, encrypted by AES-256-GCM: vector of 12 bytes, ciphertext, tag",
    example: "c2VhbGVk".repeat(14),
  });

export const NewHandOff = z.strictObject({
  sealed: Sealed,
  validFor: Duration.refine(
    (seconds) => seconds >= minHandOffSeconds && seconds <= maxHandOffSeconds,
    { message: "must be from PT1M to P7D" },
  )
    .optional()
    .meta({
      description: "How long the link opens: from PT1M to P7D; P1D without it",
      type: "string",
      format: "duration",
      example: "P1D",
    }),
});

export const HandOff = z.object({
  id: z.string().meta({ description: "As the audit trail names the hand-off" }),
  token: z.string().meta({ description: "What opens it, once; readable only here" }),
  expiresAt: InstantAnswer.meta({
    description: "Until when it opens: not later than the key expires",
  }),
});

const creating = {
  status: 201,
  body: NewHandOff,
  answer: HandOff,
  secretId: "id",
  bodyLimit: 8 * 1024,
} as const;

const creatingCodes = [...keyStateCodes, "api-key.rotation-required", "quota.exceeded"] as const;

export const createHandOff = endpoint({
  ...inSession("keys"),
  ...creating,
  permission: "any-role",
  operation: "POST /v1/user/profile/api-keys/{apiKeyId}/hand-offs",
  summary: "Leave the encrypted secret of one of one's own API keys for somebody to open once",
  codes: [...creatingCodes],
});

export const createManagedHandOff = endpoint({
  ...inSession("keys"),
  ...creating,
  permission: "api-key.manage",
  isTenantWide: true,
  operation: "POST /v1/user/api-keys/{apiKeyId}/hand-offs",
  summary: "Leave the encrypted secret of a service user's API key for somebody to open once",
  codes: [...creatingCodes, ...ownerGuardCodes, "user.not-service"],
});

export const openHandOff = endpoint({
  operation: "POST /v1/user/api-keys/hand-offs/open",
  summary: "Open a hand-off by its token: its encrypted secret is in this answer and is deleted",
  description:
    "Whatever does not open gets the same answer: unknown, opened, expired, or of a key that was rotated, revoked or has expired.",
  credentials: [],
  addressLimit: "hand-off",
  bodyLimit: 8 * 1024,
  body: z.strictObject({
    token: z.string().min(1).max(512).meta({ description: "From the link" }),
  }),
  answer: z.object({
    sealed: Sealed,
    apiKeyId: z.string().meta({ description: "The id of the key" }),
    name: z.string().meta({ description: "The name of the key" }),
    validTo: InstantAnswer.meta({ description: "When the key expires" }),
  }),
  codes: ["api-key.hand-off-not-found"],
});
