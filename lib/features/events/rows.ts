import { read } from "@/lib/database/open";
import type { AuditActor, AuditChanges, AuditTarget } from "@/lib/protocol/documents/audit-entry";

/*
 * The feed of events has two sources: the audit trail, and what customers did. A position in it is the number of an audit entry and
 * that of an event about a customer:
 *
 *   (7, 0)   audit entry 7
 *   (7, 41)  event 41 about a customer, which happened after entry 7 and before entry 8
 *   (7, 42)
 *   (8, 0)   audit entry 8
 *
 * Both numbers come from the tenant's row by an UPDATE, whose lock the writing transaction holds until it commits. So their order is
 * that of the commits: who has read up to a position has read all that will ever be before it.
 */
export interface FeedPosition {
  auditSeq: number;
  eventSeq: number;
}

export interface FeedRow extends FeedPosition {
  /** `aud_...` of an entry, `act_...` of what a customer did. */
  id: string;
  at: Date;
  action: string;
  /** The four are empty for what a customer did. */
  actor: AuditActor | null;
  target: AuditTarget | null;
  changes: AuditChanges | null;
  result: "success" | "failure" | null;
  requestId: string;
  /** The three are empty for an entry of the trail. */
  customerId: string | null;
  siteId: string | null;
  fields: string[] | null;
}

const after = `select * from (
  (select a.seq::float8 as "auditSeq", 0::float8 as "eventSeq", a.audit_id as id, a.occurred_at as at, a.action, a.actor, a.target, a.changes, a.result,
    a.request_id as "requestId", null as "customerId", null as "siteId", null::jsonb as fields
    from audit_events a where a.tenant_id = $1 and a.seq > $2::bigint and a.occurred_at >= $4 order by a.seq limit $5)
  union all
  (select c.audit_seq::float8, c.event_seq::float8, c.activity_id, c.occurred_at, c.action, null, null, null, null,
    c.request_id, c.customer_id, c.site_id, c.fields
    from customer_activity c where c.tenant_id = $1 and c.event_seq is not null and (c.audit_seq, c.event_seq) > ($2::bigint, $3::bigint)
    and c.occurred_at >= $4 order by c.audit_seq, c.event_seq limit $5)
  ) e order by "auditSeq", "eventSeq" limit $5`;

/** The next rows after a position, oldest first, of those that happened since `from`. */
export const rowsAfter = (
  tenantId: string,
  { auditSeq, eventSeq }: FeedPosition,
  from: Date,
  limit: number,
): Promise<readonly FeedRow[]> =>
  read<FeedRow>("events-after", after, [tenantId, auditSeq, eventSeq, from, limit]);

const place = `select a.seq::float8 as "auditSeq", 0::float8 as "eventSeq" from audit_events a where a.tenant_id = $1 and a.audit_id = $2
  union all select c.audit_seq::float8, c.event_seq::float8 from customer_activity c
  where c.tenant_id = $1 and c.activity_id = $3 and c.event_seq is not null`;

/** Where the event stands whose id ends so; undefined for one that is not kept. */
export async function findPosition(
  tenantId: string,
  suffix: string,
): Promise<FeedPosition | undefined> {
  const values = [tenantId, `aud_${suffix}`, `act_${suffix}`];
  return (await read<FeedPosition>("event-position", place, values))[0];
}
