import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { partialIndexes } from "@/lib/database/schema/audit";
import { auditEvents } from "@/lib/database/schema/schema";
import type { AuditEvent } from "./contract";
import { auditAnswer } from "./list";

interface Wanted {
  tenantId: string;
  /** Ids of the targets. */
  targetIds?: readonly string[];
  /** Id of the actor. */
  actorId?: string;
  /** Only entries below this number, for the next page. */
  before?: number;
  /** Only entries of these kinds, which have their own index. */
  only?: keyof typeof partialIndexes;
  limit: number;
}

/**
 * Numbers of the newest entries of each id. Each id is one backward index scan on (tenant_id, id, seq), so the cost depends on `limit` and
 * not on the length of the trail.
 */
const newestOf = (column: "actor" | "target", only: Wanted["only"]) => `select e.seq::float8 as seq
  from unnest($2::text[]) as w(id) cross join lateral (
    select n.seq from audit_events n where n.tenant_id = $1 and n.${column}->>'id' = w.id and n.seq < $3
    ${only === undefined ? "" : `and n.${partialIndexes[only]}`}
    order by n.seq desc limit $4) e order by e.seq desc limit $4`;

async function newestSeqs(
  column: "actor" | "target",
  ids: readonly string[],
  { tenantId, before = Number.MAX_SAFE_INTEGER, only, limit }: Wanted,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const values = [tenantId, [...ids], before, limit];
  const { rows } = await db().$client.query<{ seq: number }>(newestOf(column, only), values);
  return rows.map(({ seq }) => seq);
}

interface Part {
  entries: AuditEvent[];
  /** Set when there may be more. */
  before: number | undefined;
}

/** Entries with one of the targets or by the actor, newest first. */
export async function readEntriesAbout(wanted: Wanted): Promise<Part> {
  const { tenantId, targetIds = [], actorId, limit } = wanted;
  const found = await Promise.all([
    newestSeqs("target", targetIds, wanted),
    newestSeqs("actor", actorId === undefined ? [] : [actorId], wanted),
  ]);
  const seqs = [...new Set(found.flat())].sort((a, b) => b - a).slice(0, limit);
  if (seqs.length === 0) return { entries: [], before: undefined };
  const rows = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenantId), inArray(auditEvents.seq, seqs)))
    .orderBy(desc(auditEvents.seq));
  return {
    entries: rows.map(auditAnswer),
    before: seqs.length === limit ? seqs.at(-1) : undefined,
  };
}

interface RoleChanges {
  /** Whose roles. */
  id: string;
  /** How many entries about the user were searched, and the time of the oldest. */
  looked: number;
  oldest: Date;
  /** The role changes among them, newest first. */
  changes: { at: string; roles: { before?: unknown; after?: unknown } | null }[];
}

const roleChanges = `select w.id, count(*)::int as looked, min(e.occurred_at) as oldest,
  coalesce(json_agg(json_build_object('at', e.occurred_at, 'roles', e.changes->'roles') order by e.seq desc)
    filter (where e.action = 'user.roles-changed' and e.occurred_at >= $3), '[]') as changes
  from unnest($2::text[]) as w(id) cross join lateral (
    select n.seq, n.occurred_at, n.action, n.changes from audit_events n
    where n.tenant_id = $1 and n.target->>'id' = w.id order by n.seq desc limit $4) e
  group by w.id`;

/** The role changes of several users since a time, from the newest entries about each of them, in one query. */
export async function readRoleChanges(
  tenantId: string,
  { userIds, from, limit }: { userIds: readonly string[]; from: Date; limit: number },
): Promise<RoleChanges[]> {
  const values = [tenantId, userIds, from, limit];
  return (await db().$client.query<RoleChanges>(roleChanges, values)).rows;
}

/** One entry by its id; undefined for one that is not kept. */
export async function findEntry(
  tenantId: string,
  auditId: string,
): Promise<AuditEvent | undefined> {
  const [row] = await db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenantId), eq(auditEvents.auditId, auditId)));
  return row && auditAnswer(row);
}

/** Searches of staff that found a customer, newest first. */
export async function readSearchesThatFound(
  tenantId: string,
  customerId: string,
  limit: number,
): Promise<AuditEvent[]> {
  const rows = await db()
    .select()
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.tenantId, tenantId),
        eq(auditEvents.action, "customer.searched"),
        sql`${auditEvents.changes}->'found'->'after' ? ${customerId}`,
      ),
    )
    .orderBy(desc(auditEvents.seq))
    .limit(limit);
  return rows.map(auditAnswer);
}
