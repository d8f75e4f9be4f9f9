import { createHash, randomBytes } from "node:crypto";
import { FastResponse } from "srvx/node";
import { deriveKeys } from "@/lib/access/secret-key";
import { HeldTransactions } from "@/lib/database/held-transactions";
import { db, type Transaction } from "@/lib/database/open";
import type { Endpoint } from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";
import {
  type ClaimedKey,
  claimKey,
  findClaim,
  releaseKey,
  type StoredResponse,
  storeResponse,
} from "./idempotent-response-rows";

/** A claim that could not be freed is tried again at most so often, a second apart. */
const maxTries = 20;

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

interface Claim extends ClaimedKey {
  /** The body's hash as it was before SECRET_KEY was rotated. */
  formerHashes: Buffer[];
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

async function replay(claim: Claim, { declared, responseHeaders }: Repeatable): Promise<Response> {
  const earlier = await findClaim(claim);
  if (
    earlier &&
    ![claim.bodyHash, ...claim.formerHashes].some((hash) => hash.equals(earlier.bodyHash))
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

async function readResponse(declared: Endpoint, response: Response): Promise<ReadResponse> {
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
    stored: { ...shown, location, etag, secretId },
  };
}

/** Within the work's transaction: the work is stored with its response, or neither is. */
async function storeWithWork(tx: Transaction, claim: Claim, read: ReadResponse): Promise<void> {
  if (await storeResponse(tx, claim, read.stored)) return;
  throw new ApiError(
    "idempotency.in-flight",
    "Another request with this Idempotency-Key took over. Send it again for its answer.",
    "Idempotency-Key",
  );
}

/** Until it is known what happened the key stays taken. */
function releaseLater(claim: Claim, tries = maxTries): void {
  const again = () =>
    releaseKey(claim).catch(() => (tries > 1 ? releaseLater(claim, tries - 1) : undefined));
  setTimeout(() => void again(), 1000).unref();
}

async function isReleased(claim: Claim): Promise<boolean> {
  try {
    return await releaseKey(claim);
  } catch {
    releaseLater(claim);
    return true;
  }
}

/**
 * Runs a POST once for its Idempotency-Key: the same key and request get the first response again, another body, query or site 422,
 * a request still in flight 409. A rejected request releases its key. What the request writes by way of `held` is stored with its
 * response.
 */
export async function answerOnce(
  repeatable: Repeatable,
  respond: (held: HeldTransactions) => Promise<Response>,
): Promise<Response> {
  const claim = claimOf(repeatable);
  if (!(await claimKey(claim))) return replay(claim, repeatable);
  const held = new HeldTransactions();
  let read: ReadResponse | undefined;
  let isWorkHeld = true;
  try {
    const current = await readResponse(repeatable.declared, await respond(held));
    isWorkHeld = held.isOpen;
    read = current;
    if (isWorkHeld) await held.commit((tx) => storeWithWork(tx, claim, current));
    else await storeResponse(db(), claim, current.stored);
  } catch (error) {
    await held.rollback(error);
    // Work that was stored by itself is done, whether its response could be stored or not.
    if (isWorkHeld && ((await isReleased(claim)) || read === undefined)) throw error;
    if (read === undefined) throw error;
  }
  return read.response;
}
