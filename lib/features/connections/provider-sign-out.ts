import { type JWTPayload, jwtVerify } from "jose";
import { withAccessChange } from "@/lib/access/access-versions";
import type { Origin } from "@/lib/access/caller";
import { countRequest } from "@/lib/access/rate-limits";
import { sha256 } from "@/lib/access/secrets";
import type { Transaction } from "@/lib/database/open";
import { type Acting, record } from "@/lib/features/audit/service";
import {
  deleteRowsOfConnection,
  deleteRowsOfSignIn,
  type EndedSession,
  endDerivedSessions,
  type SignedOut,
} from "@/lib/features/sessions/rows";
import { ApiError, isRejection } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import { algorithms, clockToleranceSeconds, faultOf } from "./code-exchange";
import { SignInFailure } from "./failure";
import { findIdentity, useNonce } from "./identity-rows";
import { getMetadata, keyFinder, type ProviderMetadata } from "./provider-metadata";
import { type ConnectionRow, findConnection, keyOfProviderId } from "./rows";

/** The sessions that ended with a connection, by user id. */
export type EndedSessions = ReadonlyMap<string, string[]>;

function byPerson(ended: EndedSession[]): EndedSessions {
  const found = new Map<string, string[]>();
  for (const { userId, sessionRef } of ended)
    found.set(userId, [...(found.get(userId) ?? []), sessionRef]);
  return found;
}

/** One entry for all sessions. It signals other services that their cached verification results of the tenant are outdated. */
async function recordAll(
  tx: Transaction,
  acting: Acting,
  { connectionId: id, name }: ConnectionRow,
  { length }: EndedSession[],
): Promise<void> {
  if (length === 0) return;
  await record(tx, acting, {
    action: "connection.sessions-ended",
    target: { type: "connection", id, name },
    changes: { sessions: { before: length, after: 0 } },
  });
}

/**
 * Ends the sessions that were opened through the connection, in the transaction that disables or deletes it, which raises the tenant's
 * access version.
 */
export async function endSessionsOf(
  tx: Transaction,
  acting: Acting,
  connection: ConnectionRow,
): Promise<EndedSessions> {
  const ended = await deleteRowsOfConnection(tx, connection);
  await recordAll(tx, acting, connection, ended);
  return byPerson(ended);
}

/** The most sessions of one user. If a logout token covers more, one entry records all of them. */
const maxEntries = 20;

/** Ends the sessions that came from a session or an identity at the provider, in a transaction that raises the access version. */
async function endSessionsOfSignIn(
  tx: Transaction,
  acting: Acting,
  connection: ConnectionRow,
  signedOut: SignedOut,
): Promise<EndedSessions> {
  const ended = await deleteRowsOfSignIn(tx, connection, signedOut);
  if (ended.length > maxEntries) await recordAll(tx, acting, connection, ended);
  else
    for (const { sessionRef: id } of ended)
      await record(tx, acting, { action: "session.ended", target: { type: "session", id } });
  return byPerson(ended);
}

/** Ends the sessions in other tenants that were opened from the given ones, after those have ended. */
export async function endDerivedOf(acting: Acting, ended: EndedSessions): Promise<void> {
  const { tenantId: homeTenantId } = acting;
  for (const [userId, refs] of ended)
    await endDerivedSessions(acting, { userId, homeTenantId }, refs);
}

/*
 * The logout token that a provider sends when a user signs out (OpenID Connect Back-Channel Logout 1.0, 2.4 to 2.6). An ID token is never
 * accepted as one: it has a nonce and no event.
 */

const event = "http://schemas.openid.net/event/backchannel-logout";
const logoutTokenSeconds = 300;
const types: readonly unknown[] = [undefined, "JWT", "jwt", "logout+jwt"];

interface LogoutToken {
  jti: string;
  sid: string | undefined;
  sub: string | undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An optional claim, which must be a non-empty text. */
function textOf(payload: JWTPayload, name: "jti" | "sid" | "sub"): string | undefined {
  const value = payload[name];
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "") throw new SignInFailure("token-invalid", name);
  return value;
}

/** Throws SignInFailure for any deviation from the specification, and whatever `beforeAsking` throws. */
async function readLogoutToken(
  token: string,
  clientId: string,
  { issuer, jwksUri }: Pick<ProviderMetadata, "issuer" | "jwksUri">,
  beforeAsking: () => Promise<unknown>,
): Promise<LogoutToken> {
  const { payload, protectedHeader } = await jwtVerify(token, keyFinder(jwksUri, beforeAsking), {
    ...{ algorithms, issuer, audience: clientId },
    ...{ clockTolerance: clockToleranceSeconds, maxTokenAge: logoutTokenSeconds },
  }).catch((error: unknown) => {
    throw isRejection(error) ? error : faultOf(error);
  });
  if (!types.includes(protectedHeader.typ)) throw new SignInFailure("token-invalid", "typ");
  const { events } = payload;
  if (!isObject(events) || !Object.hasOwn(events, event) || !isObject(events[event]))
    throw new SignInFailure("token-invalid", "events");
  if ("nonce" in payload) throw new SignInFailure("token-invalid", "nonce");
  const [jti, sid, sub] = [textOf(payload, "jti"), textOf(payload, "sid"), textOf(payload, "sub")];
  if (jti === undefined) throw new SignInFailure("token-invalid", "jti");
  if (sid === undefined && sub === undefined) throw new SignInFailure("token-invalid", "sid");
  return { jti, sid, sub };
}

/** Longer than the time for which a token is accepted. */
const keptMs = 2 * logoutTokenSeconds * 1000;

async function getConnection(providerId: string): Promise<ConnectionRow> {
  const key = keyOfProviderId(providerId);
  const connection = key && (await findConnection(key));
  if (!connection?.isEnabled) throw new SignInFailure("disabled");
  return connection;
}

/** Anyone can send tokens with unknown keys, so the requests to the provider are limited. */
async function verify(connection: ConnectionRow, token: string): Promise<LogoutToken> {
  const { tenantId, connectionId, issuer, clientId } = connection;
  const beforeAsking = () => countRequest("provider-keys", `${tenantId} ${connectionId}`);
  const metadata = await getMetadata(issuer, beforeAsking);
  return readLogoutToken(token, clientId, metadata, beforeAsking);
}

async function endSessions(
  connection: ConnectionRow,
  { jti, sid, sub }: LogoutToken,
  origin: Origin,
): Promise<void> {
  const { tenantId, connectionId, issuer, name } = connection;
  const actor = { type: "system" as const, id: connectionId, login: name };
  const acting = { tenantId, actor, ...origin };
  const nonceHash = sha256(`logout ${connectionId} ${jti}`);
  const ended = await withAccessChange(tenantId, async (tx) => {
    const expiresAt = new Date(Date.now() + keptMs);
    if (!(await useNonce(tx, { tenantId, nonceHash, expiresAt })))
      throw new SignInFailure("replayed");
    const key = { tenantId, connectionId, issuer, subject: sub ?? "" };
    const identity = sub === undefined ? undefined : await findIdentity(key, tx);
    const sidHash = sid === undefined ? undefined : sha256(sid);
    return endSessionsOfSignIn(tx, acting, connection, { sidHash, identity });
  });
  await endDerivedOf(acting, ended);
}

/** Ends the sessions of a user whom a provider signed out. Throws 400 for an invalid logout token, and 429. */
export async function endSessionsByProvider(
  providerId: string,
  token: string,
  origin: Origin,
): Promise<void> {
  try {
    const connection = await getConnection(providerId);
    await endSessions(connection, await verify(connection, token), origin);
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error;
    const { kind, value, cause: err } = error;
    const { requestId } = origin;
    log().info({ err, kind, value, providerId, requestId }, "a logout token was rejected");
    throw new ApiError("sign-out.token-invalid", "The logout token was not accepted.");
  }
}
