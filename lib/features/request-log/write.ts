import { and, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { db, foreignKeyViolation, type Transaction } from "@/lib/database/open";
import { refusedRequests } from "@/lib/database/schema/schema";
import type { CompletedRequest } from "@/lib/http/request-context";
import { perProcess } from "@/lib/protocol/per-process";

/** The limit for one minute; further combinations are not sampled until the next. */
const maxCombinations = 20_000;
const minuteMilliseconds = 60_000;

/** An operation and status that was sampled. A route has few of them: a linear search is cheaper than a Map. */
interface Sampled {
  method: string;
  status: number;
  next: Sampled | undefined;
}

interface State {
  minute: number;
  combinations: number;
  /** Samples by credential, then by the route's path. */
  byCredential: Map<string, Map<string, Sampled>>;
}

const newState = (minute: number): State => ({ minute, combinations: 0, byCredential: new Map() });

const state = perProcess("request-log-sample", () => ({ current: newState(0) }));

type Combination = Pick<CompletedRequest, "method" | "status"> & {
  credentialId: string;
  template: string;
};

function stateAt(now: number): State {
  const held = state();
  const minute = Math.floor(now / minuteMilliseconds);
  if (held.current.minute !== minute) held.current = newState(minute);
  return held.current;
}

/** Whether a success of this credential, operation and status was sampled in this minute. Allocates nothing: runs on each request. */
export function isSampled(
  { credentialId, template, method, status }: Combination,
  now: number,
): boolean {
  const { byCredential, combinations } = stateAt(now);
  let sampled = byCredential.get(credentialId)?.get(template);
  while (sampled && (sampled.status !== status || sampled.method !== method))
    sampled = sampled.next;
  return sampled !== undefined || combinations >= maxCombinations;
}

/** Marks the combination as sampled until the end of the minute. */
export function markSampled(
  { credentialId, template, method, status }: Combination,
  now: number,
): void {
  const current = stateAt(now);
  const templates = current.byCredential.get(credentialId) ?? new Map<string, Sampled>();
  current.byCredential.set(credentialId, templates);
  templates.set(template, { method, status, next: templates.get(template) });
  current.combinations += 1;
}

export type LoggedRequest = typeof refusedRequests.$inferInsert;

export const keptMilliseconds = 7 * 24 * 3600 * 1000;
/**
 * The limit per tenant and part, which retains the newest: neither successes nor requests of strangers displace failures of the
 * tenant's users and programs. Shoppers count as strangers: anyone may obtain an anonymous token, and register.
 */
export const maxBytes = {
  failures: 4 * 1024 * 1024,
  strangers: 1024 * 1024,
  successes: 8 * 1024 * 1024,
} as const;

export type LogPart = keyof typeof maxBytes;

const ofStranger = sql.raw("coalesce(credential_kind, 'anonymous') in ('anonymous', 'customer')");
const rowsOf: Record<LogPart, SQL> = {
  failures: sql`status >= 400 and not ${ofStranger}`,
  strangers: sql`status >= 400 and ${ofStranger}`,
  successes: sql`status < 400`,
};

/** The part for a request with this status and kind of caller; a request without a caller is a stranger's. */
export function partOf(status: number, kind: LoggedRequest["credentialKind"]): LogPart {
  if (status < 400) return "successes";
  return (kind ?? "anonymous") === "anonymous" || kind === "customer" ? "strangers" : "failures";
}

/** Rows that this process writes before it deletes older ones. */
const trimEvery = 500;

/** Rows written since the last trim, by tenant. */
const untrimmed = perProcess("request-log-untrimmed", () => new Map<string, number>());

/** Deletes all but the tenant's newest rows, up to a total size in bytes. */
async function trim(tenantId: string, part: LogPart): Promise<void> {
  await db().execute(sql`delete from refused_requests
    where tenant_id = ${tenantId} and ${rowsOf[part]} and refusal_id <= (
      select refusal_id from (
        select refusal_id, sum(pg_column_size(r)) over (order by refusal_id desc) as bytes
        from refused_requests r where tenant_id = ${tenantId} and ${rowsOf[part]}
      ) sized where bytes > ${maxBytes[part]} order by refusal_id desc limit 1)`);
}

const columns = Object.entries(getTableColumns(refusedRequests)).filter(
  ([key]) => key !== "tenantId",
);
const names = columns.map(([, column]) => `"${column.name}"`);
const inserted = sql.raw(`tenant_id, ${names.join(", ")}`);
const given = sql.raw(names.map((name) => `r.${name}`).join(", "));

/** One JSON text for all rows: with a parameter for each value hundreds of rows would block the event loop for 40 ms. */
const textOf = (logged: LoggedRequest[]) =>
  JSON.stringify(
    logged.map((one) =>
      Object.fromEntries(
        columns.map(([key, { name }]) => [name, one[key as keyof LoggedRequest] ?? null]),
      ),
    ),
  );

/** Writes requests of a tenant in one statement. Nothing is stored for an unknown tenant. */
export async function writeRequests(tenantId: string, logged: LoggedRequest[]): Promise<void> {
  try {
    await db().execute(sql`insert into refused_requests (${inserted})
      select ${tenantId}, ${given} from json_populate_recordset(null::refused_requests, ${textOf(logged)}) r`);
  } catch (error) {
    if (foreignKeyViolation(error) !== undefined) return;
    throw error;
  }
  const written = (untrimmed().get(tenantId) ?? 0) + logged.length;
  untrimmed().set(tenantId, written % trimEvery);
  if (written < trimEvery) return;
  for (const part of ["failures", "strangers", "successes"] as const) await trim(tenantId, part);
}

/** Deletes the logged requests of a user, with their IP addresses and user agents. */
export async function eraseRequestsOf(tx: Transaction, tenantId: string, userId: string) {
  await tx
    .delete(refusedRequests)
    .where(and(eq(refusedRequests.tenantId, tenantId), eq(refusedRequests.userId, userId)));
}
