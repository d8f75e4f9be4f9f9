import { z } from "zod";
import { keyStateCodes, ownerGuardCodes } from "@/lib/protocol/code-groups";
import { endpoint, inSession } from "@/lib/protocol/endpoint";
import { Duration, InstantAnswer } from "@/lib/protocol/formats";

/** The minimum, maximum and default lifetime of a link. */
const minHandOffSeconds = 60;
const maxHandOffSeconds = 7 * 86_400;
export const defaultHandOffSeconds = 86_400;

/** The most unexpired links of a key. */
export const maxHandOffsOfKey = 10;

/**
 * Characters of base64url that a sealed key takes, no more and no less: an initialization vector of 12 bytes, the 53 characters of a key
 * and a tag of 16 bytes.
 */
export const sealedLength = 108;

const Sealed = z
  .string()
  .length(sealedLength)
  .regex(/^[\w-]+$/, { message: "must be base64url without padding" })
  .meta({
    description: "The secret, encrypted by AES-256-GCM: vector of 12 bytes, ciphertext, tag",
    example: "c2Vh".repeat(sealedLength / 4),
  });

export const NewHandOff = z.strictObject({
  sealed: Sealed,
  secretHash: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { message: "must be a SHA-256 in 64 hexadecimal digits" })
    .meta({
      description:
        "SHA-256 of the key's current secret: only who has the secret can hand it off, and nobody can use the hash",
      example: "0a".repeat(32),
    }),
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
  replay: { secretId: "id" },
  limits: { body: 8 * 1024 },
} as const;

const creatingCodes = [
  ...keyStateCodes,
  "api-key.rotation-required",
  "api-key.suspended",
  "api-key.hand-off-limit-reached",
] as const;

const withdrawing = {
  status: 204,
  description: "Its link opens nothing any more. One that was opened or has expired answers 404.",
} as const;

const withdrawingCodes = ["api-key.not-found", "api-key.hand-off-not-found"] as const;

export const createHandOff = endpoint({
  ...inSession("keys"),
  ...creating,
  permission: "any-role",
  operation: "POST /v1/user/profile/api-keys/{apiKeyId}/hand-offs",
  summary: "Leave the encrypted secret of one of one's own API keys for somebody to open once",
  codes: [...creatingCodes],
});

export const withdrawHandOff = endpoint({
  ...inSession("keys"),
  ...withdrawing,
  permission: "any-role",
  operation: "DELETE /v1/user/profile/api-keys/{apiKeyId}/hand-offs/{id}",
  summary: "Withdraw a link to the secret of one of one's own API keys",
  codes: [...withdrawingCodes],
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

export const withdrawManagedHandOff = endpoint({
  ...inSession("keys"),
  ...withdrawing,
  permission: "api-key.manage",
  isTenantWide: true,
  operation: "DELETE /v1/user/api-keys/{apiKeyId}/hand-offs/{id}",
  summary: "Withdraw a link to the secret of anybody's API key",
  codes: [...withdrawingCodes, ...ownerGuardCodes],
});

export const openHandOff = endpoint({
  operation: "POST /v1/user/api-keys/hand-offs/open",
  summary: "Open a hand-off by its token: its encrypted secret is in this answer and is deleted",
  description: "Whatever does not open gets the same answer, and does not open later either.",
  credentials: [],
  limits: { body: 8 * 1024, address: "hand-off" },
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
