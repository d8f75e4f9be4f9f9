import { and, desc, eq, gt, gte, lt, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { maxClockDifferenceMs } from "@/lib/database/clock";
import { db } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import type { Context } from "@/lib/http/context";
import { streamText } from "@/lib/http/responses";
import { csvLine } from "@/lib/protocol/csv";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import { escapeLike } from "@/lib/protocol/text";
import type {
  AuditEvent,
  ExportAuditEventsQuery,
  ExportedAuditEvent,
  ListAuditEventsQuery,
} from "./contract";

type Asking = Pick<Context, "format" | "responseHeaders"> & {
  caller: Caller;
  query: z.output<typeof ExportAuditEventsQuery>;
};

/** All matching entries, in the format the caller accepts, sent while they are read. */
export async function sendExport(
  asking: Asking,
): Promise<Response | AsyncIterable<ExportedAuditEvent[]>> {
  const { caller, query, format } = asking;
  const parts = exportAuditEvents(caller, query);
  if (format === "text/csv") return streamText(asking, parts, auditCsv);
  if (format === "application/x-ndjson")
    return streamText(asking, parts, { line: (event) => `${JSON.stringify(event)}\n` });
  return parts;
}

export type AuditRow = typeof auditEvents.$inferSelect;
type Filters = z.output<typeof ExportAuditEventsQuery>;

/** Entries read by one query and exported in one turn of the event loop, which takes about 8 ms. */
export const partSize = 250;

function ofAction(action: string) {
  if (!action.endsWith("*")) return eq(auditEvents.action, action);
  return sql`${auditEvents.action} like ${`${escapeLike(action.slice(0, -1))}%`}`;
}

/*
 * Entries are ordered by their numbers. Their times come from the clocks of several processes, so they follow that order only up to the
 * clock difference. The index on the time finds the first and last number of a time range, widened by that difference.
 */

/** Greater than any entry number, because the column is read as a JavaScript number. */
const maxSeq = Number.MAX_SAFE_INTEGER;

/** A number below those of all entries since that time. */
const placeBefore = (tenantId: string, at: Date): SQL =>
  sql`coalesce((select e.seq from ${auditEvents} e where e.tenant_id = ${tenantId}
    and e.occurred_at < ${iso(at, -maxClockDifferenceMs)}::timestamptz order by e.occurred_at desc limit 1), 0)`;

/** A number above those of all entries until that time. */
const placeBehind = (tenantId: string, at: Date): SQL =>
  sql`coalesce((select e.seq from ${auditEvents} e where e.tenant_id = ${tenantId}
    and e.occurred_at >= ${iso(at, maxClockDifferenceMs)}::timestamptz order by e.occurred_at limit 1), ${maxSeq}::bigint)`;

/** The range of valid query times. */
const [earliest, latest] = ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"].map((at) =>
  Date.parse(at),
) as [number, number];

const iso = (at: Date, ms: number) =>
  new Date(Math.min(latest, Math.max(earliest, at.getTime() + ms))).toISOString();

async function readRows(
  tenantId: string,
  query: Filters,
  before: number | undefined,
  limit: number,
): Promise<AuditRow[]> {
  const { actor, action, target, requestId, from, to } = query;
  const conditions = [
    eq(auditEvents.tenantId, tenantId),
    actor === undefined
      ? undefined
      : or(
          sql`${auditEvents.actor}->>'id' = ${actor}`,
          sql`${auditEvents.actor}->>'login' = ${actor}`,
        ),
    action === undefined ? undefined : ofAction(action),
    target === undefined ? undefined : sql`${auditEvents.target}->>'id' = ${target}`,
    requestId === undefined ? undefined : eq(auditEvents.requestId, requestId),
    from && gte(auditEvents.occurredAt, from),
    from && gt(auditEvents.seq, placeBefore(tenantId, from)),
    to && lt(auditEvents.occurredAt, to),
    to && lt(auditEvents.seq, placeBehind(tenantId, to)),
    before === undefined ? undefined : lt(auditEvents.seq, before),
  ];
  return db()
    .select()
    .from(auditEvents)
    .where(and(...conditions))
    .orderBy(desc(auditEvents.seq))
    .limit(limit);
}

/** The tenant's entries, newest first. */
export async function listAuditEvents(
  caller: Caller,
  query: z.output<typeof ListAuditEventsQuery>,
): Promise<Page<AuditEvent>> {
  const after = readCursor(query.cursor, 1, (seq) => /^\d{1,15}$/.test(seq));
  const rows = await readRows(caller.tenantId, query, after && Number(after[0]), query.limit + 1);
  const page = cutPage(rows, query.limit, (row) => [String(row.seq)]);
  return { items: page.items.map(auditAnswer), next: page.next };
}

/** All matching entries, newest first, in parts. */
export async function* exportAuditEvents(
  caller: Caller,
  query: Filters,
): AsyncGenerator<ExportedAuditEvent[]> {
  for (let before: number | undefined; ; ) {
    const rows = await readRows(caller.tenantId, query, before, partSize);
    yield rows.map(exportedAnswer);
    before = rows.at(-1)?.seq;
    if (rows.length < partSize) return;
  }
}

export function auditAnswer(row: AuditRow): AuditEvent {
  const {
    auditId: id,
    occurredAt,
    actor,
    action,
    target,
    changes,
    requestId,
    address,
    result,
  } = row;
  const when = occurredAt.toISOString();
  return {
    id,
    occurredAt: when,
    actor,
    action,
    target,
    changes,
    requestId,
    ...(address === null ? {} : { address }),
    result,
  };
}

/** An entry with the values needed to recompute its hash. */
export function exportedAnswer(row: AuditRow): ExportedAuditEvent {
  const { tenantId: tenant, seq, keyId, mac, personal } = row;
  const hex = (bytes: Buffer) => bytes.toString("hex");
  const hashes = {
    previousHash: hex(row.previousHash),
    hash: hex(row.hash),
    addressHash: hex(row.addressHash),
    agentHash: hex(row.agentHash),
  };
  const keyed =
    keyId === null || mac === null || personal === null ? {} : { keyId, mac: hex(mac), personal };
  return { ...auditAnswer(row), chain: { tenant, seq, ...hashes, salt: hex(row.salt), ...keyed } };
}

const columns = [
  "id",
  "occurredAt",
  "actorType",
  "actorId",
  "actorLogin",
  "keyId",
  "action",
  "targetType",
  "targetId",
  "targetName",
];

/** The entries as CSV: one row each, what changed as JSON in one field. */
export const auditCsv = {
  head: csvLine([...columns, "changes", "requestId", "address", "result"]),
  line: ({
    id,
    occurredAt,
    actor,
    action,
    target,
    changes,
    requestId,
    address,
    result,
  }: AuditEvent) =>
    csvLine([
      ...[
        id,
        occurredAt,
        actor.type,
        actor.id,
        actor.login ?? "",
        actor.keyId ?? "",
        action,
        target.type,
        target.id,
        target.name ?? "",
      ],
      ...[JSON.stringify(changes), requestId, address ?? "", result],
    ]),
};
