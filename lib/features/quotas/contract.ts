import { z } from "zod";
import { endpoint, inSession, management } from "@/lib/protocol/endpoint";
import { type QuotaName, quotaNames } from "./values";

const names = quotaNames as [QuotaName, ...QuotaName[]];

export const Quota = z
  .object({
    quota: z.enum(names),
    limit: z.int(),
    isDefault: z.boolean().meta({ description: "Support has set no other limit" }),
    used: z.int().meta({ description: "Of user-keys: by the user with the most" }),
    unit: z.enum(["bytes", "count"]),
  })
  .meta({ id: "Quota" });
export type Quota = z.infer<typeof Quota>;

export const listQuotas = endpoint({
  operation: "GET /v1/tenant/quotas",
  summary: "How much of each thing the tenant may have, and has",
  credentials: management,
  permission: "tenant.read",
  isTenantWide: true,
  answer: z.array(Quota),
});

const bySupport = {
  ...inSession("platform"),
  permission: "any-role",
  requires: ["platform-user"],
} as const;

export const listTenantQuotas = endpoint({
  operation: "GET /v1/tenants/{id}/quotas",
  summary: "How much of each thing any tenant may have, and has",
  ...bySupport,
  answer: z.array(Quota),
  codes: ["tenant.not-found"],
});

export const NewQuota = z.strictObject({
  limit: z.int().min(0).max(1_000_000_000_000_000).nullable(),
});

export const setTenantQuota = endpoint({
  operation: "PUT /v1/tenants/{id}/quotas/{quota}",
  stepUp: "policy",
  summary: "Set a tenant's limit; null is the default again",
  ...bySupport,
  body: NewQuota,
  answer: Quota,
  codes: ["tenant.not-found", "quota.not-found"],
});
