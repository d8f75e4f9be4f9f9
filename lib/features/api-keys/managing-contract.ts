import { z } from "zod";
import { keyStateCodes, ownerGuardCodes, userGuardCodes } from "@/lib/protocol/code-groups";
import { automation, endpoint, inSession, management } from "@/lib/protocol/endpoint";
import { Duration, searchText } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";
import {
  ApiKey,
  ApiKeyDetails,
  KeyLimitsChange,
  KeySecret,
  NewApiKey,
  RotatedKey,
  Rotation,
} from "./contract";

const ofTenant = { permission: "api-key.manage", isTenantWide: true } as const;
const manage = { ...automation, ...ofTenant } as const;
/** Operations that reveal a secret or lift limits. */
const manageInSession = { ...inSession("keys"), ...ofTenant } as const;

export const KeyOwner = z.object({
  id: z.string(),
  login: z.string(),
  name: z.string(),
  kind: z.enum(["person", "service"]),
  state: z.enum(["active", "invited", "deactivated"]),
  lock: z.boolean(),
});

export const ManagedKey = ApiKey.extend({
  owner: KeyOwner,
  callsByDay: z.array(z.int()).optional().meta({
    description: "Calls of the last 7 days of UTC, today the last; where fields asks for it",
  }),
});

export type ManagedKey = z.infer<typeof ManagedKey>;

export const ManagedKeyDetails = ApiKeyDetails.extend({ owner: KeyOwner });

export const keyStatuses = ["active", "suspended", "expired", "revoked"] as const;

export const HandedOverKey = KeySecret.extend({
  apiKey: z.string().optional().meta({ description: "Only where the new owner is a service user" }),
  status: z
    .enum(keyStatuses)
    .meta({ description: "suspended until a person, as the new owner, rotates the key" }),
});

const yesOrNo = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .optional();

export const ListManagedKeysQuery = z.strictObject({
  owner: searchText(128).optional().meta({ description: "The id of a user" }),
  status: z.enum(keyStatuses).optional(),
  expiresWithin: Duration.optional().meta({
    description: "Keys that end within this time, such as P14D",
  }),
  unusedFor: Duration.optional().meta({
    description:
      "Keys that nobody used for this time, such as P90D; new ones count from their creation",
  }),
  neverUsed: yesOrNo.meta({
    description: "Keys that nobody used so far, or those that somebody did",
  }),
  ownerLock: yesOrNo.meta({ description: "Keys whose owner is locked, or is not" }),
  fields: z
    .string()
    .transform((text) => text.trim().replace(/^\+/, ""))
    .pipe(z.literal("callsByDay", { message: "must be +callsByDay" }))
    .optional()
    .meta({ type: "string", description: "A member to add", example: "+callsByDay" }),
  ...pageQuery,
});

export const listManagedKeys = endpoint({
  operation: "GET /v1/user/api-keys",
  summary: "List the API keys of the whole tenant with their owners, newest first",
  credentials: management,
  permission: "api-key.manage",
  isTenantWide: true,
  query: ListManagedKeysQuery,
  answer: z.array(ManagedKey),
});

export const getManagedKey = endpoint({
  operation: "GET /v1/user/api-keys/{apiKeyId}",
  summary: "Show an API key of the tenant, and who still uses its previous secret",
  credentials: management,
  permission: "api-key.manage",
  isTenantWide: true,
  answer: ManagedKeyDetails,
  codes: ["api-key.not-found"],
  conditional: "tag",
});

export const suspendManagedKey = endpoint({
  operation: "POST /v1/user/api-keys/{apiKeyId}/suspend",
  summary: "Suspend anybody's API key",
  ...manage,
  answer: ManagedKey,
  codes: [...keyStateCodes, ...ownerGuardCodes],
});

export const resumeManagedKey = endpoint({
  operation: "POST /v1/user/api-keys/{apiKeyId}/resume",
  summary: "Resume anybody's suspended API key; one that leaked must be rotated first",
  ...manage,
  answer: ManagedKey,
  codes: [...keyStateCodes, "api-key.rotation-required", ...ownerGuardCodes],
});

export const revokeManagedKey = endpoint({
  operation: "POST /v1/user/api-keys/{apiKeyId}/revoke",
  summary: "Revoke anybody's API key",
  ...manage,
  answer: ManagedKey,
  codes: ["api-key.not-found", ...ownerGuardCodes],
});

export const updateManagedKey = endpoint({
  operation: "PATCH /v1/user/api-keys/{apiKeyId}",
  summary: "Limit how often and from where anybody's API key works",
  ...manageInSession,
  body: KeyLimitsChange,
  answer: ManagedKeyDetails,
  codes: [...keyStateCodes, ...ownerGuardCodes, "auth.step-up-required"],
  conditional: "tag",
});

export const rotateManagedKey = endpoint({
  operation: "POST /v1/user/api-keys/{apiKeyId}/rotate",
  stepUp: "policy",
  summary: "Give a service user's API key a new secret",
  ...manageInSession,
  body: Rotation,
  isBodyOptional: true,
  answer: RotatedKey,
  replay: { secretId: "apiKeyId" },
  codes: [...keyStateCodes, ...ownerGuardCodes, "user.not-service"],
});

export const handOverKey = endpoint({
  operation: "POST /v1/user/api-keys/{apiKeyId}/handover",
  stepUp: "policy",
  summary:
    "Give an API key to another user; its secret expires now. A service user's new secret is in this answer; a person rotates the key",
  ...manageInSession,
  body: z.strictObject({ userId: z.string().max(128) }),
  answer: HandedOverKey,
  replay: { secretId: "apiKeyId" },
  codes: [
    ...keyStateCodes,
    ...userGuardCodes,
    "api-key.name-taken",
    "quota.exceeded",
    "user.deactivated",
  ],
});

export const createServiceKey = endpoint({
  operation: "POST /v1/user/{id}/api-keys",
  stepUp: "policy",
  summary: "Create an API key for a service user",
  ...manageInSession,
  body: NewApiKey,
  answer: KeySecret,
  replay: { secretId: "apiKeyId" },
  codes: [...userGuardCodes, "user.not-service", "api-key.name-taken", "quota.exceeded"],
});
