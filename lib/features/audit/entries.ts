import { and, asc, eq, gt } from "drizzle-orm";
import { type Executor, read } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import type { AuditTarget } from "@/lib/protocol/documents/audit-entry";
import type { AuditRow } from "./list";

export interface BriefEntry {
  id: string;
  seq: number;
  at: Date;
  action: string;
  target: AuditTarget;
}

interface Wanted {
  tenantId: string;
  actions: readonly string[];
  from: Date;
  /** Exclusive. */
  to: Date;
  /** Only entries below this number, for the next page. */
  before?: number | undefined;
  limit: number;
}

/**
 * Times rise with the numbers of a chain, so the index on the time first turns the range into two numbers. Then each action is one backward
 * index scan on (tenant_id, action, seq) from the end of the range: the cost depends on `limit`, not on the length of the trail or the
 * range.
 */
const newestBetween = `with range as materialized (select
    (select a.seq from audit_events a where a.tenant_id = $1 and a.occurred_at >= $3 order by a.occurred_at, a.seq limit 1) as first,
    (select a.seq from audit_events a where a.tenant_id = $1 and a.occurred_at < $4 order by a.occurred_at desc, a.seq desc limit 1) as last)
  select e.audit_id as id, e.seq::float8 as seq, e.occurred_at as at, e.action, e.target
  from range, unnest($2::text[]) as w(action) cross join lateral (
    select n.audit_id, n.seq, n.occurred_at, n.action, n.target from audit_events n
    where n.tenant_id = $1 and n.action = w.action collate "C" and n.seq between range.first and range.last and n.seq < $5::bigint
    order by n.seq desc limit $6) e
  order by e.seq desc limit $6`;

/** The newest successful and failed entries of some actions in a range, newest first. */
export const entriesBetween = ({
  tenantId,
  actions,
  from,
  to,
  before = Number.MAX_SAFE_INTEGER,
  limit,
}: Wanted): Promise<readonly BriefEntry[]> =>
  read<BriefEntry>("audit-entries-between", newestBetween, [
    tenantId,
    [...actions],
    from,
    to,
    before,
    limit,
  ]);

interface Range {
  tenantId: string;
  /** The number of the previous entry. */
  after: number;
  limit: number;
}

const isAfter = ({ tenantId, after }: Omit<Range, "limit">) =>
  and(eq(auditEvents.tenantId, tenantId), gt(auditEvents.seq, after));

/** The next entries in the order of the chain. */
export const entriesAfter = (on: Executor, { limit, ...range }: Range): Promise<AuditRow[]> =>
  on.select().from(auditEvents).where(isAfter(range)).orderBy(asc(auditEvents.seq)).limit(limit);

/** When the next entry was written; undefined when there is none. */
export async function timeOfEntryAfter(
  on: Executor,
  range: Omit<Range, "limit">,
): Promise<Date | undefined> {
  const [next] = await on
    .select({ at: auditEvents.occurredAt })
    .from(auditEvents)
    .where(isAfter(range))
    .orderBy(asc(auditEvents.seq))
    .limit(1);
  return next?.at;
}
