import { createHash, randomBytes } from "node:crypto";
import { FastResponse } from "srvx/node";
import { deriveKeys } from "@/lib/access/secret-key";
import { HeldTransactions } from "@/lib/database/held-transactions";
import { db, isStoreDown, type Transaction } from "@/lib/database/open";
import type { Endpoint } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";
import {
  type ClaimedKey,
  claimKey,
  findClaim,
  releaseKey,
  releaseLater,
  type StoredResponse,
  storeResponse,
} from "./idempotent-response-rows";

/** A request that is carried out once for its Idempotency-Key. */
export interface IdempotentRequest {
  declared: Endpoint;
  /** Each caller has separate keys. */
  callerId: string;
  /** The tenant whose transaction stores the change and the response. */
  tenantId: string;
  /** "" is none. */
  siteId: string;
  request: Request;
  bytes: Uint8Array;
  responseHeaders: Readonly<Record<string, string>>;
}

interface Claim extends ClaimedKey {
  /** The hashes of the body by the keys before SECRET_KEY was rotated, and in the format of the previous release. */
  previousHashes: Buffer[];
}

/** A response whose body was read, so that it can be stored. */
interface ReadResponse {
  response: Response;
  stored: StoredResponse;
}

const digest = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest();
};

/** The claim of a request for its Idempotency-Key. Throws 400 for an invalid key. */
export function claimOf({
  declared,
  callerId,
  tenantId,
  siteId,
  request,
  bytes,
}: IdempotentRequest): Claim {
  const key = request.headers.get("idempotency-key") ?? "";
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ApiError(
      "idempotency.key-invalid",
      "Idempotency-Key must be 1 to 255 visible ASCII characters.",
      "Idempotency-Key",
    );
  }
  const { pathname, search } = new URL(request.url);
  // Keyed: the plain hash of a body with a password could be brute-forced.
  const keys = deriveKeys("idempotency");
  const [bodyHash = Buffer.of(), ...rotated] = keys.map((derived) =>
    digest(derived, siteId, search, bytes),
  );
  // The previous release hashed neither site nor query. Its responses expire a day after the upgrade, and none of ours has this hash.
  const previousHashes = [...rotated, ...keys.map((derived) => digest(derived, bytes))];
  return {
    tenantId,
    keyHash: digest(callerId, declared.operation, pathname, key),
    bodyHash,
    previousHashes,
    attempt: randomBytes(16),
  };
}

async function replay(
  claim: Claim,
  { declared, responseHeaders }: IdempotentRequest,
): Promise<Response> {
  const earlier = await findClaim(claim);
  if (
    earlier &&
    ![claim.bodyHash, ...claim.previousHashes].some((hash) => hash.equals(earlier.bodyHash))
  ) {
    throw new ApiError(
      "idempotency.key-reused",
      "This Idempotency-Key was used with another body, query or site. Use a new one.",
      "Idempotency-Key",
    );
  }
  if (earlier?.secretId != null) {
    throw new ApiError(
      "idempotency.secret-not-replayable",
      "The request succeeded. Its response held a secret, which is not stored.",
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

const createdId = (body: string, field: string | null) =>
  field === null ? "" : String(JSON.parse(body)[field]);

/** The customer that a response is about, by the prefix of its id. */
function customerOf(body: string | null): string | null {
  const id: unknown = body === null ? undefined : JSON.parse(body).id;
  return typeof id === "string" && id.startsWith("cust_") ? id : null;
}

async function readResponse(declared: Endpoint, response: Response): Promise<ReadResponse> {
  const body = declared.answer ? await response.text() : null;
  const [location, etag] = [response.headers.get("location"), response.headers.get("etag")];
  const secretId =
    body === null || declared.replay?.secretId === undefined
      ? null
      : createdId(body, declared.replay.secretId);
  const shown =
    secretId === null
      ? { status: response.status, body, customerId: customerOf(body) }
      : { status: null, body: null };
  return {
    response: new FastResponse(body, { status: response.status, headers: response.headers }),
    stored: { ...shown, location, etag, secretId },
  };
}

/** Stores the response in the transaction of the change: both commit or neither. */
async function storeWithWork(tx: Transaction, claim: Claim, read: ReadResponse): Promise<void> {
  if (await storeResponse(tx, claim, read.stored)) return;
  throw new ApiError(
    "idempotency.in-flight",
    "Another request with this Idempotency-Key took over. Retry to get its response.",
    "Idempotency-Key",
  );
}

/** Whether the key is this request's now. A claim whose connection fails may have been committed. */
async function claimOrRelease(claim: Claim): Promise<boolean> {
  try {
    return await claimKey(claim);
  } catch (error) {
    if (isStoreDown(error)) releaseLater(claim);
    throw error;
  }
}

/** Releases the claim, and returns whether it was still this request's. Retries later if the store does not respond. */
async function releaseOrRetryLater(claim: Claim): Promise<boolean> {
  try {
    return await releaseKey(claim);
  } catch {
    releaseLater(claim);
    return true;
  }
}

/**
 * Runs a POST once for its Idempotency-Key: the same key and request get the first response again, another body, query or site 422,
 * a request still in flight 409. A rejected request releases its key. Writes through `held` are committed with the response.
 */
export async function answerOnce(
  request: IdempotentRequest,
  respond: (held: HeldTransactions) => Promise<Response>,
): Promise<Response> {
  const claim = claimOf(request);
  if (!(await claimOrRelease(claim))) return replay(claim, request);
  const held = new HeldTransactions();
  let read: ReadResponse | undefined;
  let isWorkHeld = true;
  try {
    const current = await readResponse(request.declared, await respond(held));
    isWorkHeld = held.isOpen;
    read = current;
    if (isWorkHeld) await held.commit((tx) => storeWithWork(tx, claim, current));
    else await storeResponse(db(), claim, current.stored);
  } catch (error) {
    await held.rollback(error);
    // Work that was committed separately is done, whether or not its response could be stored.
    const isReleased = isWorkHeld && (await releaseOrRetryLater(claim));
    if (isReleased || read === undefined) throw error;
  }
  return read.response;
}
