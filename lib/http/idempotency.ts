import { createHash, randomBytes } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { FastResponse } from "srvx/node";
import { deriveKeys } from "@/lib/access/secret-key";
import { HeldTransactions } from "@/lib/database/held-transactions";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { idempotentAnswers } from "@/lib/database/schema/schema";
import type { Endpoint } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";

const keptMilliseconds = 24 * 3600 * 1000;
/** Longer than any handler may take: a request without an answer after that died with its process. */
const inFlightMilliseconds = 30_000;

/** A claim that could not be freed is tried again so often, a second apart. */
const mostTries = 20;

/** A request that must not be done twice. */
export interface Repeatable {
  declared: Endpoint;
  /** Whose key it is: the same key of two callers is two keys. */
  repeater: string;
  /** Where the work is kept, and so its answer: one transaction touches one tenant. */
  tenantId: string;
  /** "" is none. */
  siteId: string;
  request: Request;
  bytes: Uint8Array;
  responseHeaders: Readonly<Record<string, string>>;
}

interface Claim {
  tenantId: string;
  keyHash: Buffer;
  bodyHash: Buffer;
  /** As it was before SECRET_KEY was rotated. */
  formerHashes: Buffer[];
  /** This request and no other: only while the key is its own may it keep anything. */
  attempt: Buffer;
}

/** What is answered, read so that it can be kept. */
interface Answered {
  response: Response;
  kept: Partial<typeof idempotentAnswers.$inferInsert>;
}

const digest = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest();
};

function claimOf({ declared, repeater, tenantId, siteId, request, bytes }: Repeatable): Claim {
  const key = request.headers.get("idempotency-key") ?? "";
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ApiError(
      "idempotency.key-invalid",
      "Idempotency-Key must be 1 to 255 visible ASCII characters.",
      "Idempotency-Key",
    );
  }
  const { pathname, search } = new URL(request.url);
  // Keyed, because a body may hold a password: its plain hash could be guessed at leisure.
  const [bodyHash = Buffer.of(), ...formerHashes] = deriveKeys("idempotency").map((derived) =>
    digest(derived, siteId, search, bytes),
  );
  return {
    tenantId,
    keyHash: digest(repeater, declared.operation, pathname, key),
    bodyHash,
    formerHashes,
    attempt: randomBytes(16),
  };
}

/** Takes the key for this request; false when another request has it. */
async function take({ tenantId, keyHash, bodyHash, attempt }: Claim): Promise<boolean> {
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
    then ${new Date(now.getTime() - inFlightMilliseconds).toISOString()}::timestamptz else ${new Date(now.getTime() - keptMilliseconds).toISOString()}::timestamptz end`;
  const taken = await db()
    .insert(idempotentAnswers)
    .values({ tenantId, keyHash, ...fresh })
    .onConflictDoUpdate({
      target: [idempotentAnswers.tenantId, idempotentAnswers.keyHash],
      set: fresh,
      setWhere: isOver,
    })
    .returning({ keyHash: idempotentAnswers.keyHash });
  return taken.length > 0;
}

async function replay(
  { tenantId, keyHash, bodyHash, formerHashes }: Claim,
  { declared, responseHeaders }: Repeatable,
): Promise<Response> {
  const [earlier] = await db()
    .select()
    .from(idempotentAnswers)
    .where(and(eq(idempotentAnswers.tenantId, tenantId), eq(idempotentAnswers.keyHash, keyHash)));
  if (earlier && ![bodyHash, ...formerHashes].some((hash) => hash.equals(earlier.bodyHash))) {
    throw new ApiError(
      "idempotency.key-reused",
      "This Idempotency-Key was used with another body, query or site. Use a new one.",
      "Idempotency-Key",
    );
  }
  if (earlier?.secretId != null) {
    throw new ApiError(
      "idempotency.secret-not-replayable",
      "It was done, and the answer held a secret that was not kept.",
      earlier.secretId || undefined,
    );
  }
  if (earlier?.status == null)
    throw new ApiError(
      "idempotency.in-flight",
      "The first request with this Idempotency-Key is still running.",
      "Idempotency-Key",
    );
  const headers: Record<string, string> = {
    "Cache-Control": "no-store",
    ...responseHeaders,
    "Idempotency-Replayed": "true",
  };
  if (earlier.location) headers.Location = earlier.location;
  if (earlier.etag) headers.ETag = earlier.etag;
  if (earlier.body !== null) headers["Content-Type"] = declared.produces[0] ?? "application/json";
  return new FastResponse(earlier.body, { status: earlier.status, headers });
}

const createdId = (body: string, member: string | null) =>
  member === null ? "" : String(JSON.parse(body)[member]);

/** Ids tell their kind. */
function customerOf(body: string | null): string | null {
  const id: unknown = body === null ? undefined : JSON.parse(body).id;
  return typeof id === "string" && id.startsWith("cust_") ? id : null;
}

async function readAnswer(declared: Endpoint, response: Response): Promise<Answered> {
  const body = declared.answer ? await response.text() : null;
  const [location, etag] = [response.headers.get("location"), response.headers.get("etag")];
  const secretId =
    body === null || declared.secretId === undefined ? null : createdId(body, declared.secretId);
  const shown =
    secretId === null
      ? { status: response.status, body, customerId: customerOf(body) }
      : { status: null, body: null };
  return {
    response: new FastResponse(body, { status: response.status, headers: response.headers }),
    kept: { ...shown, location, etag, secretId },
  };
}

const rowOf = ({ tenantId, keyHash, attempt }: Claim) =>
  and(
    eq(idempotentAnswers.tenantId, tenantId),
    eq(idempotentAnswers.keyHash, keyHash),
    eq(idempotentAnswers.attempt, attempt),
  );
const isUnanswered = and(isNull(idempotentAnswers.status), isNull(idempotentAnswers.secretId));

/** False when the key is another request's by now. */
async function keep(on: Executor, claim: Claim, { kept }: Answered): Promise<boolean> {
  const rows = await on
    .update(idempotentAnswers)
    .set(kept)
    .where(and(rowOf(claim), isUnanswered))
    .returning({ keyHash: idempotentAnswers.keyHash });
  return rows.length > 0;
}

/** Within the work's transaction: the work is kept with its answer, or neither is. */
async function keepWithWork(tx: Transaction, claim: Claim, answered: Answered): Promise<void> {
  if (await keep(tx, claim, answered)) return;
  throw new ApiError(
    "idempotency.in-flight",
    "Another request with this Idempotency-Key took over. Send it again for its answer.",
    "Idempotency-Key",
  );
}

/**
 * Frees the key of a request that failed; false when its work was kept after all. A transaction that has not ended yet holds
 * the row, so this waits for it: what it tells is what happened, whatever became of the answer to a COMMIT.
 */
async function release(claim: Claim): Promise<boolean> {
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

/** Until it is known what happened the key stays taken. */
function releaseLater(claim: Claim, tries = mostTries): void {
  const again = () =>
    release(claim).catch(() => (tries > 1 ? releaseLater(claim, tries - 1) : undefined));
  setTimeout(() => void again(), 1000).unref();
}

async function isReleased(claim: Claim): Promise<boolean> {
  try {
    return await release(claim);
  } catch {
    releaseLater(claim);
    return true;
  }
}

/**
 * Runs a POST once for its Idempotency-Key: the same key and request get the first answer again, another body, query or site 422,
 * a request still in flight 409. A refused request releases its key. What the request writes by way of `held` is kept with its answer.
 */
export async function answerOnce(
  asked: Repeatable,
  respond: (held: HeldTransactions) => Promise<Response>,
): Promise<Response> {
  const claim = claimOf(asked);
  if (!(await take(claim))) return replay(claim, asked);
  const held = new HeldTransactions();
  let answered: Answered | undefined;
  let isWorkHeld = true;
  try {
    const read = await readAnswer(asked.declared, await respond(held));
    isWorkHeld = held.isOpen;
    answered = read;
    if (isWorkHeld) await held.commit((tx) => keepWithWork(tx, claim, read));
    else await keep(db(), claim, read);
  } catch (error) {
    await held.rollback(error);
    // Work that was kept by itself is done, whether its answer could be kept or not.
    if (isWorkHeld && ((await isReleased(claim)) || answered === undefined)) throw error;
    if (answered === undefined) throw error;
  }
  return answered.response;
}

/** Forgets the answers that show a customer, in the transaction that deletes the account. */
export async function forgetAnswersAbout(
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
 * Forgets every answer that names a user, in the transaction that erases the person. There is no index over texts: the tenant's answers
 * of a day are read once for an erasure.
 */
export async function forgetAnswersNaming(
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
