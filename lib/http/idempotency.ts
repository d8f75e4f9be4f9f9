import { createHash } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { FastResponse } from "srvx/node";
import { deriveKeys } from "@/lib/access/secret-key";
import { db, type Transaction } from "@/lib/database/open";
import { idempotentAnswers } from "@/lib/database/schema/schema";
import type { Endpoint } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";

const keptMilliseconds = 24 * 3600 * 1000;
/** Longer than any handler may take: a request without an answer after that died with its process. */
const inFlightMilliseconds = 30_000;

/** Whose key it is: the same key of two callers is two keys. */
interface Repeater {
  tenantId: string;
  id: string;
}

interface Claim {
  tenantId: string;
  keyHash: Buffer;
  bodyHash: Buffer;
  /** As it was before SECRET_KEY was rotated. */
  formerHashes: Buffer[];
}

const digest = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest();
};

function claimOf(declared: Endpoint, who: Repeater, request: Request, bytes: Uint8Array): Claim {
  const key = request.headers.get("idempotency-key") ?? "";
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ApiError(
      "idempotency.key-invalid",
      "Idempotency-Key must be 1 to 255 visible ASCII characters.",
      "Idempotency-Key",
    );
  }
  const target = new URL(request.url).pathname;
  // Keyed, because a body may hold a password: its plain hash could be guessed at leisure.
  const [bodyHash = Buffer.of(), ...formerHashes] = deriveKeys("idempotency").map((derived) =>
    digest(derived, bytes),
  );
  return {
    tenantId: who.tenantId,
    keyHash: digest(who.id, declared.operation, target, key),
    bodyHash,
    formerHashes,
  };
}

/** Takes the key for this request; false when another request has it. */
async function take({ tenantId, keyHash, bodyHash }: Claim): Promise<boolean> {
  const now = new Date();
  const fresh = {
    bodyHash,
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
  declared: Endpoint,
  answerHeaders: Record<string, string>,
): Promise<Response> {
  const [earlier] = await db()
    .select()
    .from(idempotentAnswers)
    .where(and(eq(idempotentAnswers.tenantId, tenantId), eq(idempotentAnswers.keyHash, keyHash)));
  if (earlier && ![bodyHash, ...formerHashes].some((hash) => hash.equals(earlier.bodyHash))) {
    throw new ApiError(
      "idempotency.key-reused",
      "This Idempotency-Key was used with another body. Use a new one.",
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
    ...answerHeaders,
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

async function keep(
  { tenantId, keyHash }: Claim,
  declared: Endpoint,
  response: Response,
): Promise<Response> {
  const body = declared.answer ? await response.text() : null;
  const [location, etag] = [response.headers.get("location"), response.headers.get("etag")];
  const secretId =
    body === null || declared.secretId === undefined ? null : createdId(body, declared.secretId);
  const kept =
    secretId === null
      ? { status: response.status, body, customerId: customerOf(body) }
      : { status: null, body: null };
  await db()
    .update(idempotentAnswers)
    .set({ ...kept, location, etag, secretId })
    .where(and(eq(idempotentAnswers.tenantId, tenantId), eq(idempotentAnswers.keyHash, keyHash)));
  return new FastResponse(body, { status: response.status, headers: response.headers });
}

/**
 * Runs a POST once for its Idempotency-Key: the same key and body get the first answer again, another body 422,
 * a request still in flight 409. A refused request releases its key.
 */
export async function answerOnce(
  declared: Endpoint,
  who: Repeater,
  request: Request,
  bytes: Uint8Array,
  answerHeaders: Record<string, string>,
  respond: () => Promise<Response>,
): Promise<Response> {
  const claim = claimOf(declared, who, request, bytes);
  if (!(await take(claim))) return replay(claim, declared, answerHeaders);
  let response: Response;
  try {
    response = await respond();
  } catch (error) {
    const mine = and(
      eq(idempotentAnswers.tenantId, claim.tenantId),
      eq(idempotentAnswers.keyHash, claim.keyHash),
    );
    await db()
      .delete(idempotentAnswers)
      .where(and(mine, isNull(idempotentAnswers.status), isNull(idempotentAnswers.secretId)));
    throw error;
  }
  return keep(claim, declared, response);
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
