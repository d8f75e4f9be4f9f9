import { read } from "@/lib/database/open";
import { partialIndexes, siteOfEntry } from "@/lib/database/schema/audit";
import type { AuditActor, AuditChanges, AuditTarget } from "@/lib/protocol/documents/audit-entry";

/*
 * The feed of events has two sources: the audit trail and customer activity. A position in it is the number of an audit entry and
 * that of an event about a customer:
 *
 *   (7, 0)   audit entry 7
 *   (7, 41)  event 41 about a customer, which happened after entry 7 and before entry 8
 *   (7, 42)
 *   (8, 0)   audit entry 8
 *
 * Both numbers come from the tenant's row by an UPDATE, whose lock the writing transaction holds until it commits. So their order is
 * the commit order: a reader at a position has seen every event that will ever be before it.
 */
export interface FeedPosition {
  auditSeq: number;
  eventSeq: number;
}

export interface FeedRow extends FeedPosition {
  /** `aud_...` of an audit entry, `act_...` of customer activity. */
  id: string;
  at: Date;
  action: string;
  /** The four are null for customer activity. */
  actor: AuditActor | null;
  target: AuditTarget | null;
  changes: AuditChanges | null;
  result: "success" | "failure" | null;
  requestId: string;
  /** The three are null for an audit entry. */
  customerId: string | null;
  siteId: string | null;
  fields: string[] | null;
}

/*
 * Times increase with the numbers of a chain, so one lookup in the index on the time finds the start of the retained feed; later
 * customer activity has a position after the entry before it. So no statement scans rows that are too old to be shown.
 */
const first = `with kept as materialized (select coalesce(
    (select a.seq from audit_events a where a.tenant_id = $1 and a.occurred_at >= $4 order by a.occurred_at, a.seq limit 1),
    (select a.seq + 1 from audit_events a where a.tenant_id = $1 order by a.seq desc limit 1), 1) as first)`;

const entry = `a.seq::float8 as "auditSeq", 0::float8 as "eventSeq", a.audit_id as id, a.occurred_at as at, a.action, a.actor, a.target,
  a.changes, a.result, a.request_id as "requestId", null as "customerId", null as "siteId", null::jsonb as fields`;
const entriesBehind = `a.tenant_id = $1 and a.seq > $2::bigint and a.seq >= kept.first and a.occurred_at >= $4`;
const doing = `c.audit_seq::float8 as "auditSeq", c.event_seq::float8 as "eventSeq", c.activity_id as id, c.occurred_at as at, c.action,
  null::jsonb as actor, null::jsonb as target, null::jsonb as changes, null as result, c.request_id as "requestId",
  c.customer_id as "customerId", c.site_id as "siteId", c.fields`;
const doingsBehind = `c.tenant_id = $1 and c.event_seq is not null and (c.audit_seq, c.event_seq) > ($2::bigint, $3::bigint)
  and c.audit_seq >= kept.first - 1 and c.occurred_at >= $4`;

const after = `${first} select e.* from kept cross join lateral (
  (select ${entry} from audit_events a where ${entriesBehind} order by a.seq limit $5)
  union all
  (select ${doing} from customer_activity c where ${doingsBehind} order by c.audit_seq, c.event_seq limit $5)
  ) e order by "auditSeq", "eventSeq" limit $5`;

/** The next rows after a position, oldest first, of those that happened since `from`. */
export const rowsAfter = (
  tenantId: string,
  { auditSeq, eventSeq }: FeedPosition,
  from: Date,
  limit: number,
): Promise<readonly FeedRow[]> =>
  read<FeedRow>("events-after", after, [tenantId, auditSeq, eventSeq, from, limit]);

/** The position to continue after, but not before the first retained row. */
const begin = `${first}, begin as materialized (select greatest($2::bigint, kept.first - 1) as audit,
  case when $2::bigint >= kept.first - 1 then $3::bigint else -1 end as event from kept)`;

/**
 * Each action is one scan of an index on the tenant and the action, or on the tenant, the site and the action: the cost depends on the
 * rows returned, not on the rows between them. The action is compared as a range of one value, and ordered by: with equality the planner
 * could scan the whole trail for enough matching rows, which for a rare action never come.
 */
const chosen = (ofSite: {
  entries: string;
  doings: string;
}) => `${begin} select e.* from begin cross join lateral (
  (select n.* from unnest($6::text[]) as w(action) cross join lateral (
    select ${entry} from audit_events a
    where a.tenant_id = $1 and (a.action, a.seq) > (w.action collate "C", begin.audit) and a.action <= w.action collate "C"
      and a.occurred_at >= $4${ofSite.entries} order by a.action, a.seq limit $5) n)
  union all
  (select n.* from unnest($7::text[]) as w(action) cross join lateral (
    select ${doing} from customer_activity c
    where c.tenant_id = $1 and c.event_seq is not null and (c.action, c.audit_seq, c.event_seq) > (w.action collate "C", begin.audit, begin.event)
      and c.action <= w.action collate "C" and c.occurred_at >= $4${ofSite.doings} order by c.action, c.audit_seq, c.event_seq limit $5) n)
  ) e order by "auditSeq", "eventSeq" limit $5`;

const ofTypes = chosen({ entries: "", doings: "" });
const ofTypesAndSite = chosen({
  entries: ` and a.${partialIndexes.ofSites} and ${siteOfEntry} = $8`,
  doings: ' and c.site_id = $8 collate "C"',
});

export interface Choice {
  /** Actions of the audit trail. */
  entries: readonly string[];
  /** Actions of customers. */
  doings: readonly string[];
  site?: string | undefined;
}

/** Like `rowsAfter`, for the chosen actions and, if given, one site. */
export function chosenRowsAfter(
  tenantId: string,
  { auditSeq, eventSeq }: FeedPosition,
  from: Date,
  { entries, doings, site, limit }: Choice & { limit: number },
): Promise<readonly FeedRow[]> {
  const values = [tenantId, auditSeq, eventSeq, from, limit, [...entries], [...doings]];
  return site === undefined
    ? read<FeedRow>("events-of-types", ofTypes, values)
    : read<FeedRow>("events-of-site", ofTypesAndSite, [...values, site]);
}

const place = `select a.seq::float8 as "auditSeq", 0::float8 as "eventSeq" from audit_events a where a.tenant_id = $1 and a.audit_id = $2
  union all select c.audit_seq::float8, c.event_seq::float8 from customer_activity c
  where c.tenant_id = $1 and c.activity_id = $3 and c.event_seq is not null`;

/** The position of the event with this end of its id; undefined if it is unknown or deleted. */
export async function findPosition(
  tenantId: string,
  suffix: string,
): Promise<FeedPosition | undefined> {
  const values = [tenantId, `aud_${suffix}`, `act_${suffix}`];
  return (await read<FeedPosition>("event-position", place, values))[0];
}
