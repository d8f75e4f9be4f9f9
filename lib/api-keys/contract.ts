import { z } from "zod";
import { endpoint, management } from "@/lib/api/endpoint";
import { Instant, InstantAnswer, Label } from "@/lib/api/formats";
import { pageQuery } from "@/lib/api/paging";

export const NewApiKey = z.strictObject({ name: Label, validTo: Instant });

export const ApiKey = z.object({
  apiKeyId: z.string(),
  name: z.string(),
  hint: z.string(),
  status: z.enum(["active", "suspended", "expired", "revoked"]),
  createdAt: InstantAnswer,
  validTo: InstantAnswer,
  lastUsedAt: InstantAnswer.nullable(),
  lastUsedIp: z.string().nullable(),
  lastUsedOperation: z.string().nullable(),
});

export type ApiKey = z.infer<typeof ApiKey>;

export const createApiKey = endpoint({
  operation: "POST /v1/user/profile/api-keys",
  summary: "Create an API key: its value is in this answer and nowhere afterwards",
  credentials: ["session"],
  permission: "any-role",
  body: NewApiKey,
  answer: z.object({ apiKey: z.string(), apiKeyId: z.string(), validTo: InstantAnswer }),
  secretId: "apiKeyId",
});

export const ListApiKeysQuery = z.strictObject(pageQuery);

export const listApiKeys = endpoint({
  operation: "GET /v1/user/profile/api-keys",
  summary: "List one's own API keys, newest first",
  credentials: management,
  permission: "any-role",
  query: ListApiKeysQuery,
  answer: z.array(ApiKey),
});

export const getApiKey = endpoint({
  operation: "GET /v1/user/profile/api-keys/{apiKeyId}",
  summary: "Show one of one's own API keys",
  credentials: management,
  permission: "any-role",
  answer: ApiKey,
});

export const revokeApiKey = endpoint({
  operation: "DELETE /v1/user/profile/api-keys/{apiKeyId}",
  summary: "Revoke one of one's own API keys",
  credentials: ["session"],
  permission: "any-role",
  status: 204,
});
