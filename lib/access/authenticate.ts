import {
  type ConsumerCredential,
  type Credential,
  type ManagementCredential,
  management,
  type SessionOnlyReason,
  sessionOnlyReasons,
} from "@/lib/protocol/endpoint";
import { ApiError } from "@/lib/protocol/errors";
import { bearerOf, challengeFor, expiredChallenge } from "@/lib/protocol/http-fields";
import type { StoredCredential } from "./access-versions";
import { isInSet } from "./address-ranges";
import { type Caller, callerOf, type Origin } from "./caller";
import { findCredential } from "./credential-store";
import { lastNotedUse, noteUse } from "./last-used";
import { isLockedAt } from "./locks";
import { readManagementBearer } from "./management-bearer";
import { sessionIdFromCookie } from "./portal-cookie";
import { notePreviousUse } from "./previous-uses";
import { isApiKey, isSessionId, sha256 } from "./secrets";

type HeaderReader = Pick<Headers, "get">;

/** The credential that a request presents. */
export interface Presented {
  kind: ManagementCredential;
  value: string;
  fromCookie: boolean;
}

function unauthenticated(
  code: "auth.credentials-missing" | "auth.credentials-invalid" | "auth.scheme-not-accepted",
  detail: string,
  scheme: string,
  accepted: readonly ManagementCredential[],
) {
  const headers = { "WWW-Authenticate": challengeFor(accepted) };
  return new ApiError(code, detail, scheme, { headers });
}

const schemeNames: Record<Exclude<Credential, ConsumerCredential>, string> = {
  session: "Session",
  apiKey: "ApiKey",
  bearer: "Bearer",
  share: "PreviewShare",
};
/** 401 for a credential that does not exist or no longer exists. */
export const unknownCredential = (
  kind: ManagementCredential,
  accepted: readonly ManagementCredential[] = management,
) =>
  unauthenticated(
    "auth.credentials-invalid",
    "This credential is not valid in this tenant.",
    schemeNames[kind],
    accepted,
  );

const trimmed = (headers: HeaderReader, name: string) => headers.get(name)?.trim() || undefined;

/** Finds the credential of a request. Throws 400 if there are two kinds. */
export async function findPresentedCredential(
  headers: HeaderReader,
  tenantId: string,
): Promise<Presented | undefined> {
  const found: Presented[] = [];
  const sessionId = trimmed(headers, "x-service-session-id");
  if (sessionId) found.push({ kind: "session", value: sessionId, fromCookie: false });
  const apiKey = trimmed(headers, "x-service-api-key");
  if (apiKey) found.push({ kind: "apiKey", value: apiKey, fromCookie: false });
  const bearer = bearerOf(headers);
  if (bearer !== undefined) found.push({ kind: "bearer", value: bearer, fromCookie: false });
  if (found.length > 1) {
    const names = found.map((one) => schemeNames[one.kind]).join(",");
    throw new ApiError(
      "auth.ambiguous-credentials",
      "Two kinds of credential were sent. Send one of them.",
      names,
    );
  }
  if (found[0]) return found[0];
  const cookie = headers.get("cookie");
  const fromCookie = cookie ? await sessionIdFromCookie(cookie, tenantId) : undefined;
  return fromCookie ? { kind: "session", value: fromCookie, fromCookie: true } : undefined;
}

async function lookUp(
  { kind, value }: Presented,
  tenantId: string,
  now: number,
  accepted: readonly ManagementCredential[],
): Promise<StoredCredential> {
  if (kind === "session" && !isSessionId(value)) throw unknownCredential(kind, accepted);
  if (kind === "apiKey" && !isApiKey(value)) throw unknownCredential(kind, accepted);
  const token = kind === "bearer" ? await readManagementBearer(value, tenantId) : undefined;
  if (kind === "bearer" && !token) throw unknownCredential(kind, accepted);
  const credential = await findCredential(
    kind,
    tenantId,
    token ? token.sessionRef : sha256(value),
    now,
  );
  if (!credential) throw unknownCredential(kind, accepted);
  assertNotRevoked(credential, accepted);
  if (token && token.expiresAt <= Date.now()) throw expired(new Date(token.expiresAt), kind);
  return credential;
}

/** Throws 401 for a credential that never works again, the same as for one that never existed. */
export function assertNotRevoked(
  { revoked, retiresAt, principal }: StoredCredential,
  accepted: readonly ManagementCredential[] = management,
): void {
  if (revoked || (retiresAt ?? Number.POSITIVE_INFINITY) <= Date.now())
    throw unknownCredential(principal.kind, accepted);
}

/** Throws 401 for a kind of credential that the operation does not take. */
export function assertCredentialAccepted(
  kind: ManagementCredential,
  accepted: readonly ManagementCredential[],
  sessionOnly?: SessionOnlyReason,
): void {
  if (accepted.includes(kind)) return;
  const names = accepted.map((one) => schemeNames[one]).join(",");
  const why = sessionOnly ? `, because ${sessionOnlyReasons[sessionOnly]}` : "";
  throw unauthenticated(
    "auth.scheme-not-accepted",
    `This operation accepts only: ${names}${why}.`,
    names,
    accepted,
  );
}

const expiryDetails = {
  session: "The session has expired. Sign in again.",
  bearer: "The token has expired. Get a new one with a session.",
  apiKey: "The API key has expired. Create a new one.",
};

function expired(at: Date, kind: ManagementCredential): ApiError {
  const headers = { "WWW-Authenticate": expiredChallenge(kind) };
  return new ApiError("auth.credentials-expired", expiryDetails[kind], at.toISOString(), {
    headers,
  });
}

/** Rejects a correct credential that may not be used now. */
export function assertCredentialUsable(credential: StoredCredential, now: number): void {
  const { principal } = credential;
  const { idleSeconds } = principal;
  if (principal.expiresAt.getTime() <= now) throw expired(principal.expiresAt, principal.kind);
  if (idleSeconds !== undefined) {
    const idleEnd =
      Math.max(credential.lastSeenAt, lastNotedUse(principal.credentialId)) + idleSeconds * 1000;
    if (idleEnd <= now) throw expired(new Date(idleEnd), principal.kind);
  }
  if (credential.suspended)
    throw new ApiError(
      "auth.api-key-suspended",
      "This API key is suspended.",
      principal.credentialId,
    );
  if (credential.deactivated)
    throw new ApiError(
      "user.deactivated",
      "The user of this credential is deactivated.",
      principal.userId,
    );
  const at = new Date(now);
  if (credential.locks.some((lock) => isLockedAt(lock, at)))
    throw new ApiError("user.locked", "The user of this credential is locked.", principal.userId);
}

/** Throws 403 for an API key that may not be used from the address; an empty address is in no range. */
export function assertAddressAllowed(
  { keyLimits }: Pick<StoredCredential["principal"], "keyLimits">,
  address: string,
): void {
  if (!keyLimits?.addresses || isInSet(keyLimits.addresses.set, address)) return;
  throw new ApiError(
    "auth.address-not-allowed",
    "This API key may not be used from the address that the request came from.",
    address,
  );
}

/**
 * Whether a page of the portal sent the request by itself, to refresh: that is not a use of the session, which expires although the
 * page stays open. The header can only make the caller's own session expire earlier, so it needs no proof.
 */
const isBackground = ({ fromCookie }: Presented, headers: HeaderReader) =>
  fromCookie && headers.get("x-service-background") !== null;

/** The request that a credential is presented for. */
export interface Authentication {
  tenantId: string;
  accepted: readonly ManagementCredential[];
  sessionOnly?: SessionOnlyReason | undefined;
  origin: Origin;
  operation: string;
}

/**
 * Returns the caller of a request, or throws 401/403. Reads the store at most twice (once for people of this
 * tenant), and not at all if the credential was read within the last second.
 */
export async function authenticate(
  headers: HeaderReader,
  { tenantId, accepted, sessionOnly, origin, operation }: Authentication,
): Promise<{ caller: Caller; presented: Presented }> {
  const presented = await findPresentedCredential(headers, tenantId);
  if (!presented)
    throw unauthenticated(
      "auth.credentials-missing",
      "Send a credential with this request.",
      accepted.map((kind) => schemeNames[kind]).join(","),
      accepted,
    );
  assertCredentialAccepted(presented.kind, accepted, sessionOnly);
  const credential = await lookUp(presented, tenantId, performance.now(), accepted);
  const now = Date.now();
  assertCredentialUsable(credential, now);
  const { principal } = credential;
  assertAddressAllowed(principal, origin.address);
  const use = {
    kind: presented.kind === "apiKey" ? "apiKey" : "session",
    tenantId,
    credentialId: principal.credentialId,
    at: now,
    address: origin.address,
    operation,
  } as const;
  if (!isBackground(presented, headers)) noteUse(use, principal.idleSeconds);
  if (credential.retiresAt !== undefined)
    notePreviousUse(tenantId, principal.credentialId, origin, now);
  const siteId = trimmed(headers, "x-service-site") ?? principal.defaultSiteId;
  return { caller: callerOf(principal, origin, siteId), presented };
}
