import { z } from "zod";
import { normalizeRange } from "@/lib/access/address-ranges";
import { keyStateCodes } from "@/lib/protocol/code-groups";
import { endpoint, inSession, management } from "@/lib/protocol/endpoint";
import {
  boundedText,
  Duration,
  Instant,
  InstantAnswer,
  Label,
  listOf,
  Slug,
  untagged,
} from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";
import { permissions } from "@/lib/protocol/permissions";

/** The longest list of ranges, and the longest text of one. */
const maxRanges = 50;
const maxRangeLength = 49;
const maxWindowSeconds = 86_400;

const RateLimit = z.strictObject({
  limit: z.int().min(1).max(1_000_000),
  window: Duration.refine((seconds) => seconds >= 1 && seconds <= maxWindowSeconds, {
    message: "must be from PT1S to P1D",
  }).meta({ type: "string", format: "duration", example: "PT1M" }),
});

const AddressRange = boundedText(maxRangeLength)
  .transform((text, context) => {
    const range = normalizeRange(text);
    if (range !== undefined) return range;
    context.addIssue({
      code: "custom",
      message: "must be an IP address or a range such as 10.0.0.0/8",
    });
    return z.NEVER;
  })
  .meta({ type: "string", maxLength: maxRangeLength, example: "192.0.2.0/24" });

/** What can be set on a key in addition to its name and expiry: see settings.ts. */
const settings = z.strictObject({
  rateLimit: RateLimit.meta({ description: "So many requests in each window" }),
  allowedAddresses: listOf(AddressRange, maxRanges, 1).meta({
    description:
      "Ranges that requests may come from; more than one spelling of a range is stored once",
  }),
});

export const NewApiKey = z.strictObject({
  name: Label,
  validTo: Instant,
  permissions: listOf(z.enum(permissions), permissions.length, 1)
    .optional()
    .meta({ description: "Narrows the key to these, of what its owner may do" }),
  sites: listOf(Slug, 100, 1)
    .optional()
    .meta({ description: "Narrows the key to these sites: it then needs X-Service-Site" }),
  ...settings.partial().shape,
});

export const ApiKey = z.object({
  apiKeyId: z.string(),
  name: z.string(),
  hint: z.string(),
  status: z.enum(["active", "suspended", "expired", "revoked"]),
  createdAt: InstantAnswer,
  validTo: InstantAnswer,
  lastUsedAt: InstantAnswer.nullable().meta(untagged),
  lastUsedIp: z.string().nullable().meta(untagged),
  lastUsedOperation: z.string().nullable().meta(untagged),
  previousValidTo: InstantAnswer.nullable().meta({
    description: "Until when the secret before the last rotation works",
  }),
  rotationRequired: z.boolean().meta({
    description:
      "Resuming requires a rotation: the secret was reported as leaked, or the key handed over",
  }),
  handedOver: z.boolean().meta({
    description: "Handed over and not rotated since: suspended until its new owner rotates it",
  }),
  permissions: z.array(z.string()).nullable(),
  sites: z.array(z.string()).nullable(),
  rateLimit: z.object({ limit: z.int(), window: z.string() }).nullable(),
  allowedAddresses: z.array(z.string()).nullable(),
});

export type ApiKey = z.infer<typeof ApiKey>;

/** A client that still uses the secret from before the last rotation. */
export const PreviousUse = z.object({
  address: z.string(),
  agent: z.string(),
  lastSeenAt: InstantAnswer,
});

export const ApiKeyDetails = ApiKey.extend({ previousUses: z.array(PreviousUse).meta(untagged) });

export type ApiKeyDetails = z.infer<typeof ApiKeyDetails>;

/** The only response that contains the secret. */
export const KeySecret = z.object({
  apiKey: z.string(),
  apiKeyId: z.string(),
  validTo: InstantAnswer,
});

const own = { ...inSession("keys"), permission: "any-role" } as const;

export const createApiKey = endpoint({
  example: { body: { name: "reports", permissions: ["user.read"] } },
  operation: "POST /v1/user/profile/api-keys",
  stepUp: "policy",
  summary: "Create an API key: its value is in this answer and nowhere afterwards",
  ...own,
  body: NewApiKey,
  answer: KeySecret,
  replay: { secretId: "apiKeyId" },
  codes: ["api-key.name-taken", "quota.exceeded"],
});

export const ListApiKeysQuery = z.strictObject(pageQuery);

export const listApiKeys = endpoint({
  operation: "GET /v1/user/profile/api-keys",
  summary: "List one's own API keys, newest first",
  credentials: management,
  permission: "any-role",
  keyRule: { restrictedNeeds: "api-key.manage" },
  query: ListApiKeysQuery,
  answer: z.array(ApiKey),
});

export const getApiKey = endpoint({
  operation: "GET /v1/user/profile/api-keys/{apiKeyId}",
  summary: "Show one of one's own API keys, and who still uses its previous secret",
  credentials: management,
  permission: "any-role",
  keyRule: { restrictedNeeds: "api-key.manage" },
  answer: ApiKeyDetails,
  codes: ["api-key.not-found"],
  conditional: "tag",
});

export const KeyLimitsChange = z.strictObject({
  rateLimit: settings.shape.rateLimit
    .nullable()
    .optional()
    .meta({ description: "null removes it" }),
  allowedAddresses: settings.shape.allowedAddresses
    .nullable()
    .optional()
    .meta({ description: "Replaces the list; null removes it" }),
});

export const ApiKeyChange = z.strictObject({
  name: Label.optional(),
  validTo: Instant.optional(),
  ...KeyLimitsChange.shape,
});

export const updateApiKey = endpoint({
  operation: "PATCH /v1/user/profile/api-keys/{apiKeyId}",
  summary:
    "Rename one of one's own API keys, end it earlier, or limit how often and from where it works",
  ...own,
  body: ApiKeyChange,
  answer: ApiKeyDetails,
  codes: [...keyStateCodes, "api-key.name-taken", "auth.step-up-required"],
  conditional: "tag",
});

export const revokeApiKey = endpoint({
  operation: "DELETE /v1/user/profile/api-keys/{apiKeyId}",
  summary: "Revoke one of one's own API keys",
  ...own,
  status: 204,
  codes: ["api-key.not-found"],
  conditional: "tag",
});

export const Rotation = z.strictObject({
  overlap: Duration.optional().meta({
    description: "How long the secret so far goes on working: P1D without it, at most P30D",
  }),
  validTo: Instant.optional(),
});

export const RotatedKey = KeySecret.extend({ previousValidTo: InstantAnswer });

export const rotateApiKey = endpoint({
  operation: "POST /v1/user/profile/api-keys/{apiKeyId}/rotate",
  stepUp: "policy",
  summary: "Give one of one's own API keys a new secret; the one before works on for the overlap",
  ...own,
  body: Rotation,
  isBodyOptional: true,
  answer: RotatedKey,
  replay: { secretId: "apiKeyId" },
  codes: [...keyStateCodes],
});

export const retirePreviousSecret = endpoint({
  operation: "POST /v1/user/profile/api-keys/{apiKeyId}/retire-previous",
  summary: "End the secret before the last rotation now",
  ...own,
  answer: ApiKey,
  codes: ["api-key.not-found"],
});

export const suspendApiKey = endpoint({
  operation: "POST /v1/user/profile/api-keys/{apiKeyId}/suspend",
  summary: "Suspend one of one's own API keys until it is resumed",
  ...own,
  answer: ApiKey,
  codes: [...keyStateCodes],
});

export const resumeApiKey = endpoint({
  operation: "POST /v1/user/profile/api-keys/{apiKeyId}/resume",
  summary: "Resume a suspended API key; one that leaked must be rotated first",
  ...own,
  answer: ApiKey,
  codes: [...keyStateCodes, "api-key.rotation-required"],
});

export const reportLeak = endpoint({
  operation: "POST /v1/user/api-keys/report-leak",
  summary:
    "Report an API key that strangers know: a live one is suspended. The answer never says whether it was",
  credentials: [],
  limits: { body: 8 * 1024, address: "report-leak" },
  scope: "none",
  body: z.strictObject({ apiKey: boundedText(8192) }),
  status: 202,
});
