import { and, eq, lt, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { transactionFor } from "@/lib/database/held-transactions";
import { readAccess, type Transaction } from "@/lib/database/open";
import { consumerEndings, tenants } from "@/lib/database/schema/schema";
import { perProcess } from "@/lib/protocol/per-process";
import { forgetAccess, type In, inTenant, isCurrent, learnVersion } from "./access-versions";
import { lifetimeSeconds } from "./lifetimes";
import { isLockedAt } from "./locks";

/** All access tokens issued until now have expired after this time; a tenant may set at most an hour. */
const maxAccessSeconds = () => Math.max(3600, lifetimeSeconds("ACCESS_TOKEN_TTL")) + 60;

/** When the revocation with this `keptUntil` was added. */
export const endedAt = (keptUntil: Date): Date =>
  new Date(keptUntil.getTime() - maxAccessSeconds() * 1000);

/** A reason to reject the tokens of a family or a customer before they expire. */
export interface TokenRevocation {
  subject: string;
  effect: "ended" | "locked" | "unlocked";
  lockedUntil?: Date | null;
}

interface Row extends TokenRevocation {
  seq: number;
  keptUntil: Date;
}

interface TenantRevocations {
  seq: number;
  rows: Map<string, Row>;
  loading: Promise<void> | undefined;
}

const revocations = perProcess(
  "token-revocations",
  () => new LRUCache<string, TenantRevocations>({ max: 10_000 }),
);

function known(tenantId: string): TenantRevocations {
  const found = revocations().get(tenantId) ?? { seq: -1, rows: new Map(), loading: undefined };
  revocations().set(tenantId, found);
  return found;
}

const newer = `select t.endings_seq as current, e.seq, e.subject, e.effect, e.locked_until as "lockedUntil", e.kept_until as "keptUntil"
  from tenants t left join consumer_endings e on e.tenant_id = $1 and e.seq > $2 and e.kept_until > $3 where t.tenant_id = $1`;

/** For a tenant without newer revocations, the columns of the revocation are null. */
interface NewerRow {
  current: number;
  seq: number | null;
  subject: string | null;
  effect: Row["effect"] | null;
  lockedUntil: Date | null;
  keptUntil: Date | null;
}

const isRevocation = (row: NewerRow): row is NewerRow & Row => row.seq !== null;

/** Reads the revocations added since the last read; one statement reads the counter and its rows, so both are consistent. */
async function load(tenantId: string, entry: TenantRevocations): Promise<void> {
  const readAt = performance.now();
  const now = new Date();
  const values = [tenantId, entry.seq, now];
  const rows = await readAccess<NewerRow>("consumer-endings", newer, values);
  const current = rows[0]?.current ?? 0;
  for (const row of rows.filter(isRevocation)) {
    const before = entry.rows.get(row.subject);
    if (before === undefined || before.seq < row.seq) entry.rows.set(row.subject, row);
  }
  for (const [subject, row] of entry.rows) if (row.keptUntil <= now) entry.rows.delete(subject);
  entry.seq = Math.max(entry.seq, current);
  learnVersion(tenantId, current, readAt, "endings");
}

async function fresh(tenantId: string): Promise<TenantRevocations> {
  const entry = known(tenantId);
  if (entry.seq >= 0 && isCurrent(tenantId, entry.seq, performance.now(), "endings")) return entry;
  entry.loading ??= load(tenantId, entry).finally(() => {
    entry.loading = undefined;
  });
  await entry.loading;
  return entry;
}

/**
 * Whether tokens of this family and customer are still valid. Uses memory if the tenant's counter was read within the last
 * second and is the same; else reads the store, and throws if it is unavailable.
 */
export async function tokenStatus(
  tenantId: string,
  familyRef: string,
  customerId: string,
): Promise<"good" | "ended" | "locked"> {
  const { rows } = await fresh(tenantId);
  if (rows.size === 0) return "good";
  const ofCustomer = rows.get(customerId);
  if (rows.get(familyRef)?.effect === "ended" || ofCustomer?.effect === "ended") return "ended";
  const isLocked =
    ofCustomer?.effect === "locked" &&
    isLockedAt({ isLocked: true, lockedUntil: ofCustomer.lockedUntil ?? null }, new Date());
  return isLocked ? "locked" : "good";
}

/** Adds revocations in the transaction that causes them. Run that by `withTokenRevocation`, so that this process applies them at once. */
async function addRevocations(
  tx: Transaction,
  tenantId: string,
  endings: TokenRevocation[],
): Promise<void> {
  if (endings.length === 0) return;
  const [row] = await tx
    .update(tenants)
    .set({ endingsSeq: sql`${tenants.endingsSeq} + 1` })
    .where(eq(tenants.tenantId, tenantId))
    .returning({ seq: tenants.endingsSeq });
  if (!row) throw new Error(`There is no tenant ${tenantId} whose tokens could end.`);
  const now = new Date();
  const keptUntil = new Date(now.getTime() + maxAccessSeconds() * 1000);
  await tx
    .delete(consumerEndings)
    .where(and(eq(consumerEndings.tenantId, tenantId), lt(consumerEndings.keptUntil, now)));
  await tx
    .insert(consumerEndings)
    .values(endings.map((one) => ({ tenantId, seq: row.seq, keptUntil, ...one })));
}

/** Runs a transaction that revokes tokens: the revocations passed to `end` take effect on every node within a second, here at once. */
export async function withTokenRevocation<T>(
  where: In,
  work: (tx: Transaction, end: (endings: TokenRevocation[]) => Promise<void>) => Promise<T>,
): Promise<T> {
  const { tenantId, held } = inTenant(where);
  const forget = () => {
    // A read in progress may not include them yet.
    known(tenantId).loading = undefined;
    forgetAccess(tenantId, "endings");
  };
  held?.afterwards(forget);
  try {
    return await transactionFor({ held }, (tx) =>
      work(tx, (endings) => addRevocations(tx, tenantId, endings)),
    );
  } finally {
    forget();
  }
}
