import { z } from "zod";
import { endpoint, management } from "@/lib/api/endpoint";
import { Instant, InstantAnswer } from "@/lib/api/formats";
import { pageQuery } from "@/lib/api/paging";

export const AuditActor = z.object({
  type: z.enum(["user", "service", "system", "customer"]),
  id: z.string(),
  login: z.string().optional(),
  keyId: z.string().optional(),
});

export const AuditTarget = z.object({ type: z.string(), id: z.string(), name: z.string().optional() });

const Change = z.object({ before: z.unknown().optional(), after: z.unknown().optional() });
export const AuditChanges = z.record(z.string(), Change);

export type AuditActor = z.infer<typeof AuditActor>;
export type AuditTarget = z.infer<typeof AuditTarget>;
export type AuditChanges = z.infer<typeof AuditChanges>;

export const AuditEvent = z.object({
  id: z.string(),
  occurredAt: InstantAnswer,
  actor: AuditActor,
  action: z.string(),
  target: AuditTarget,
  changes: AuditChanges,
  requestId: z.string(),
  address: z.string().optional(),
  result: z.enum(["success", "failure"]),
});

export type AuditEvent = z.infer<typeof AuditEvent>;

export const ListAuditEventsQuery = z.strictObject({
  actor: z.string().optional(),
  action: z.string().optional(),
  target: z.string().optional(),
  from: Instant.optional(),
  to: Instant.optional(),
  ...pageQuery,
});

export const listAuditEvents = endpoint({
  operation: "GET /v1/audit/events",
  summary: "List the tenant's audit entries, newest first",
  credentials: management,
  permission: "audit.read",
  isTenantWide: true,
  query: ListAuditEventsQuery,
  answer: z.array(AuditEvent),
});
