import { withAccessChange } from "@/lib/access/access-versions";
import type { Origin } from "@/lib/access/caller";
import { countRequest } from "@/lib/access/rate-limits";
import { sha256 } from "@/lib/access/secrets";
import { ApiError } from "@/lib/protocol/errors";
import { log } from "@/lib/protocol/log";
import { endDerivedOf, endSessionsOfSignIn } from "./end-sessions";
import { SignInFailure } from "./failure";
import { findIdentity, useNonce } from "./identity-rows";
import { type LogoutToken, logoutTokenSeconds, readLogoutToken } from "./logout-token";
import { getMetadata } from "./provider-metadata";
import { type ConnectionRow, findConnection, keyOfProviderId } from "./rows";

/** Longer than a token is accepted. */
const keptMs = 2 * logoutTokenSeconds * 1000;

async function getConnection(providerId: string): Promise<ConnectionRow> {
  const key = keyOfProviderId(providerId);
  const connection = key && (await findConnection(key));
  if (!connection?.isEnabled) throw new SignInFailure("disabled");
  return connection;
}

/** Strangers can send tokens of keys that nobody has: the provider is not asked for each. */
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

/** Ends the sessions of whom a provider signed out. Throws 400 for what the provider did not say, and 429. */
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
