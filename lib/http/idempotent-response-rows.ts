import { and, eq, isNull, sql } from "drizzle-orm";
import { isNodeAway } from "@/lib/database/failures";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { replayableDays } from "@/lib/database/schema/idempotency";
import { idempotentAnswers } from "@/lib/database/schema/schema";
import { perProcess } from "@/lib/protocol/per-process";

/** The statements on `idempotent_answers`: a row is a key that was used, with the response once there is one. */
const replayableMs = replayableDays * 24 * 3600 * 1000;
/** Longer than any handler may take: a request without a response after that died with its process. */
export const inFlightMs = 30_000;

type Row = typeof idempotentAnswers.$inferSelect;
export type StoredResponse = Partial<typeof idempotentAnswers.$inferInsert>;

/** A key claimed by one request; `attempt` is the request. */
export interface ClaimedKey {
  tenantId: string;
  keyHash: Buffer;
  bodyHash: Buffer;
  attempt: Buffer;
}

/** Claims the key for this request; false when another request has it. */
export async function claimKey({
  tenantId,
  keyHash,
  bodyHash,
  attempt,
}: ClaimedKey): Promise<boolean> {
  const now = new Date();
  const fresh = {
    bodyHash,
    attempt,
    createdAt: now,
    status: null,
    location: null,
    etag: null,
    body: null,
    customerId: null,
    secretId: null,
  };
  const isOver = sql`${idempotentAnswers.createdAt} < case when ${idempotentAnswers.status} is null and ${idempotentAnswers.secretId} is null
    then ${new Date(now.getTime() - inFlightMs).toISOString()}::timestamptz else ${new Date(now.getTime() - replayableMs).toISOString()}::timestamptz end`;
  const claimed = await db()
    .insert(idempotentAnswers)
    .values({ tenantId, keyHash, ...fresh })
    .onConflictDoUpdate({
      target: [idempotentAnswers.tenantId, idempotentAnswers.keyHash],
      set: fresh,
      setWhere: isOver,
    })
    .returning({ keyHash: idempotentAnswers.keyHash });
  return claimed.length > 0;
}

export async function findClaim({ tenantId, keyHash }: ClaimedKey): Promise<Row | undefined> {
  const [row] = await db()
    .select()
    .from(idempotentAnswers)
    .where(and(eq(idempotentAnswers.tenantId, tenantId), eq(idempotentAnswers.keyHash, keyHash)));
  return row;
}

const rowOf = ({ tenantId, keyHash, attempt }: ClaimedKey) =>
  and(
    eq(idempotentAnswers.tenantId, tenantId),
    eq(idempotentAnswers.keyHash, keyHash),
    eq(idempotentAnswers.attempt, attempt),
  );
const isUnanswered = and(isNull(idempotentAnswers.status), isNull(idempotentAnswers.secretId));

/** Stores the response; false if another request has claimed the key. */
export async function storeResponse(
  on: Executor,
  claim: ClaimedKey,
  response: StoredResponse,
): Promise<boolean> {
  const rows = await on
    .update(idempotentAnswers)
    .set(response)
    .where(and(rowOf(claim), isUnanswered))
    .returning({ keyHash: idempotentAnswers.keyHash });
  return rows.length > 0;
}

/**
 * Frees the key of a request that failed; false if its work was committed after all. A transaction in progress locks the row,
 * so this waits for it: the result is correct even if the response to its COMMIT was lost.
 */
export async function releaseKey(claim: ClaimedKey): Promise<boolean> {
  const freed = await db()
    .delete(idempotentAnswers)
    .where(and(rowOf(claim), isUnanswered))
    .returning({ keyHash: idempotentAnswers.keyHash });
  if (freed.length > 0) return true;
  const [row] = await db()
    .select({ keyHash: idempotentAnswers.keyHash })
    .from(idempotentAnswers)
    .where(rowOf(claim));
  return row === undefined;
}

/** Deletes the responses that show a customer, in the transaction that deletes the account. */
export async function deleteResponsesAbout(
  tx: Transaction,
  tenantId: string,
  customerId: string,
): Promise<void> {
  await tx
    .delete(idempotentAnswers)
    .where(
      and(eq(idempotentAnswers.tenantId, tenantId), eq(idempotentAnswers.customerId, customerId)),
    );
}

/**
 * Deletes every response that names a user, in the transaction that erases the person. There is no index over texts: the tenant's responses
 * of a day are read once for an erasure.
 */
export async function deleteResponsesNaming(
  tx: Transaction,
  tenantId: string,
  userId: string,
): Promise<void> {
  await tx
    .delete(idempotentAnswers)
    .where(
      and(
        eq(idempotentAnswers.tenantId, tenantId),
        sql`position(${userId} in ${idempotentAnswers.body}) > 0`,
      ),
    );
}

/*
 * Keys that a failed request could not free, because the store was unavailable: a failover takes longer than a request. They are freed as
 * soon as the store is back; else a client that retries its request would get "in flight" until the claim expires.
 */

/** During a fault every request may add a claim, even one that was never stored: beyond this number claims are left to expire. */
const maxKeys = 1000;
const everyMs = 250;

interface Unreleased {
  claim: ClaimedKey;
  /** performance.now(); from then on the next request takes the key over. */
  endsAt: number;
}

const unreleased = perProcess("unreleased-keys", () => ({
  keys: new Set<Unreleased>(),
  isTrying: false,
}));

export function releaseLater(claim: ClaimedKey): void {
  const held = unreleased();
  if (held.keys.size >= maxKeys) return;
  held.keys.add({ claim, endsAt: performance.now() + inFlightMs });
  if (held.isTrying) return;
  held.isTrying = true;
  tryLater();
}

/** One after the other, so that an unavailable store gets only one statement. */
async function releaseAll(): Promise<void> {
  const { keys } = unreleased();
  for (const one of keys) {
    try {
      if (performance.now() < one.endsAt) await releaseKey(one.claim);
      keys.delete(one);
    } catch (error) {
      // Keys of tenants on other nodes of a cluster can be freed.
      if (!isNodeAway(error)) return;
    }
  }
}

function tryLater(): void {
  const again = async () => {
    await releaseAll();
    const held = unreleased();
    held.isTrying = held.keys.size > 0;
    if (held.isTrying) tryLater();
  };
  setTimeout(() => void again(), everyMs).unref();
}
