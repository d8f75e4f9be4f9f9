import { z } from "zod";
import { AuditActor, AuditChanges, AuditTarget } from "@/lib/protocol/documents/audit-entry";
import { endpoint, management } from "@/lib/protocol/endpoint";
import { Instant, InstantAnswer, SearchText } from "@/lib/protocol/formats";
import { pageQuery } from "@/lib/protocol/parameters";

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

const filters = {
  actor: SearchText.optional().meta({ description: "Id or login of who did it" }),
  action: SearchText.optional().meta({
    description: "user.locked, or user.* for all that begin so",
  }),
  target: SearchText.optional().meta({ description: "Id of what it was done to" }),
  requestId: SearchText.optional(),
  from: Instant.optional(),
  to: Instant.optional().meta({ description: "Exclusive" }),
};

export const ExportAuditEventsQuery = z.strictObject(filters);
export const ListAuditEventsQuery = z.strictObject({ ...filters, ...pageQuery });

/** The problems that an entry or the signatures of a chain may have. */
const problems = [
  ...["missing", "erased", "truncated", "link", "content", "mac", "key", "unkeyed"],
  ...["personal", "address", "agent", "head", "signed-head", "checkpoint"],
] as const;

const readTrail = {
  credentials: management,
  permission: "audit.read",
  isTenantWide: true,
} as const;

export const listAuditEvents = endpoint({
  operation: "GET /v1/audit/events",
  summary: "List the tenant's audit entries, newest first",
  ...readTrail,
  query: ListAuditEventsQuery,
  answer: z.array(AuditEvent),
});

const Hex = z.string();

/** The values needed to recompute an entry's hash. */
export const AuditChain = z.object({
  tenant: z.string(),
  seq: z.int(),
  previousHash: Hex,
  hash: Hex,
  keyId: z.string().optional(),
  mac: Hex.optional(),
  personal: z
    .record(z.string(), z.object({ hash: Hex, salt: Hex.optional() }))
    .optional()
    .meta({ description: "Salted hashes of the values that may be erased, by path" }),
  addressHash: Hex,
  agentHash: Hex,
  salt: Hex,
});

export const ExportedAuditEvent = AuditEvent.extend({
  chain: AuditChain.meta({ description: "For npm run audit:verify. All values are hexadecimal" }),
});

export type ExportedAuditEvent = z.infer<typeof ExportedAuditEvent>;

export const exportAuditEvents = endpoint({
  operation: "GET /v1/audit/export",
  summary: "All of the tenant's audit entries, newest first, as JSON, CSV or NDJSON",
  ...readTrail,
  query: ExportAuditEventsQuery,
  produces: ["application/json", "text/csv", "application/x-ndjson"],
  answer: z.array(ExportedAuditEvent),
});

export const ListAuditHeadsQuery = z.strictObject(pageQuery);

export const AuditHead = z.object({
  tenant: z.string(),
  seq: z.int().meta({ description: "The number of the entry that was the newest" }),
  hash: Hex.meta({ description: "Its hash, which the export lets anybody compute again" }),
  mac: Hex,
  at: InstantAnswer,
  kid: z.string().meta({ description: "The Ed25519 key in /.well-known/jwks.json" }),
  signature: z.string().meta({
    description:
      "base64url, over the canonical JSON of the other members and type gatehouse-audit-head",
  }),
});

export const listAuditHeads = endpoint({
  operation: "GET /v1/audit/heads",
  summary: "List the signed heads of the tenant's audit trail, newest first",
  ...readTrail,
  query: ListAuditHeadsQuery,
  answer: z.array(AuditHead),
});

export const AuditVerification = z.object({
  valid: z.boolean(),
  complete: z
    .boolean()
    .meta({ description: "false: there was no time for the rest. Go on with after=checkedTo" }),
  entries: z.int().meta({ description: "How many entries were looked at" }),
  checkedTo: z.int().meta({ description: "The number of the last entry that was found right" }),
  head: z.object({ seq: z.int(), hash: z.string() }),
  checkpoint: z
    .object({ seq: z.int(), madeAt: InstantAnswer })
    .optional()
    .meta({ description: "The signed end of what is no longer kept" }),
  signed: z
    .object({ seq: z.int(), at: InstantAnswer })
    .optional()
    .meta({ description: "The newest signed head" }),
  broken: z
    .object({
      seq: z.int(),
      id: z.string().optional(),
      problem: z.enum(problems),
    })
    .optional()
    .meta({ description: "The first entry that is not as it was written" }),
});

export type AuditVerification = z.infer<typeof AuditVerification>;

export const verifyAuditEvents = endpoint({
  operation: "GET /v1/audit/verify",
  summary:
    "Verify the tenant's audit trail against its MACs and signed heads, and name the first entry that is broken",
  ...readTrail,
  query: z.strictObject({
    after: z
      .string()
      .regex(/^\d{1,15}$/, { message: "must be the number of an entry" })
      .transform(Number)
      .optional()
      .meta({ type: "integer" }),
  }),
  answer: AuditVerification,
});
