import { and, desc, eq, type SQL } from "drizzle-orm";
import { openSealedSecret, sealSecret } from "@/lib/access/sealed";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { connections } from "@/lib/database/schema/schema";
import { ApiError } from "@/lib/protocol/errors";
import { isSlug } from "@/lib/protocol/formats";
import { publicUrl } from "@/lib/protocol/settings";
import type { Connection } from "./contract";
import { maxConnections } from "./values";

export type ConnectionRow = typeof connections.$inferSelect;
type Key = Pick<ConnectionRow, "tenantId" | "connectionId">;

const inTenant = (tenantId: string) => eq(connections.tenantId, tenantId);
const byId = ({ tenantId, connectionId }: Key): SQL | undefined =>
  and(inTenant(tenantId), eq(connections.connectionId, connectionId));

/** The provider id of the connection in next-auth. It contains the tenant, because a callback needs it for every lookup. */
export const providerIdOf = ({ tenantId, connectionId }: Key) => `${tenantId}.${connectionId}`;

/** Undefined for an invalid id and for a provider of another kind. */
export function keyOfProviderId(providerId: string | undefined): Key | undefined {
  const [tenantId = "", connectionId = ""] = providerId?.split(".") ?? [];
  return isSlug(tenantId) && /^conn_\w{1,40}$/.test(connectionId)
    ? { tenantId, connectionId }
    : undefined;
}

/** The redirect URI for the provider, separate for each connection, so that two cannot be mixed up. */
export const redirectUriOf = (key: Key) => `${publicUrl()}/api/auth/callback/${providerIdOf(key)}`;

/** The base URL for SCIM requests of a provider. It contains the tenant, so no tenant header is needed. */
export const provisioningUrlOf = (key: Key) => `${publicUrl()}/scim/v2/${providerIdOf(key)}`;

/** The URL at which a provider reports that a user signed out. */
const backchannelLogoutUriOf = (key: Key) =>
  `${publicUrl()}/v1/sso/${providerIdOf(key)}/backchannel-logout`;

/** The page to which providers redirect the browser after sign-out, the same for all connections. */
export const postLogoutRedirectUri = () => `${publicUrl()}/sign-in`;

export function toConnection(row: ConnectionRow): Connection {
  const { connectionId: id, name, issuer, clientId, scopes, domains, provisioning } = row;
  const { loginClaim: login, emailClaim: email, nameClaim, isEnabled, createdAt } = row;
  const { externalIdClaim, groupsClaim: groups, groupRoles } = row;
  return {
    ...{ id, name, issuer, clientId, scopes, domains, provisioning, isEnabled },
    claims: { login, email, name: nameClaim, groups },
    ...{ externalIdClaim, groupRoles },
    redirectUri: redirectUriOf(row),
    backchannelLogoutUri: backchannelLogoutUriOf(row),
    postLogoutRedirectUri: postLogoutRedirectUri(),
    provisioningUrl: provisioningUrlOf(row),
    createdAt: createdAt.toISOString(),
  };
}

const notFound = () =>
  new ApiError("connection.not-found", "There is no such connection in this tenant.");

export async function findConnection(
  key: Key,
  on: Executor = db(),
): Promise<ConnectionRow | undefined> {
  const [row] = await on.select().from(connections).where(byId(key));
  return row;
}

/** Throws 404. */
export async function getConnectionRow(key: Key): Promise<ConnectionRow> {
  const row = await findConnection(key);
  if (!row) throw notFound();
  return row;
}

/** The tenant's connections, newest first. */
export const selectConnections = (tenantId: string, on: Executor = db()) =>
  on
    .select()
    .from(connections)
    .where(inTenant(tenantId))
    .orderBy(desc(connections.connectionId))
    .limit(maxConnections + 1);

export async function insertConnection(tx: Transaction, row: ConnectionRow): Promise<void> {
  await tx.insert(connections).values(row);
}

/** Changes a connection and returns the changed row. Throws 404. */
export async function setConnection(
  tx: Transaction,
  key: Key,
  set: Partial<Omit<ConnectionRow, "tenantId" | "connectionId">>,
): Promise<ConnectionRow> {
  const [row] = await tx.update(connections).set(set).where(byId(key)).returning();
  if (!row) throw notFound();
  return row;
}

/** Locks the connection's row by a write that changes nothing, and returns it. Throws 404. */
export async function lockConnection(tx: Transaction, key: Key): Promise<ConnectionRow> {
  const row = await findConnection(key, tx);
  if (!row) throw notFound();
  return setConnection(tx, key, { createdAt: row.createdAt });
}

export async function deleteConnectionRow(tx: Transaction, key: Key): Promise<void> {
  await tx.delete(connections).where(byId(key));
}

const purpose = "connection-secrets";

export const sealClientSecret = (secret: string, connectionId: string): Buffer =>
  sealSecret(purpose, Buffer.from(secret), connectionId);

/** The client secret in plain text; undefined if it was sealed under a key that is no longer configured. */
export const openClientSecret = ({
  connectionId,
  clientSecret,
}: Pick<ConnectionRow, "connectionId" | "clientSecret">): string | undefined =>
  openSealedSecret(purpose, clientSecret, connectionId)?.bytes.toString();

/** After a rotation of SECRET_KEY, reseals the secrets that a former key sealed. Called by the hourly cleaning. */
export async function resealClientSecrets(tenantId: string): Promise<void> {
  for (const { connectionId, clientSecret } of await selectConnections(tenantId)) {
    const opened = openSealedSecret(purpose, clientSecret, connectionId);
    if (!opened || opened.isCurrent) continue;
    await db()
      .update(connections)
      .set({ clientSecret: sealSecret(purpose, opened.bytes, connectionId) })
      .where(and(byId({ tenantId, connectionId }), eq(connections.clientSecret, clientSecret)));
  }
}
