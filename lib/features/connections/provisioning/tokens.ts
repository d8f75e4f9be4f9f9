import { and, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import { lockTenant } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { newProvisioningToken, sha256 } from "@/lib/access/secrets";
import { transactionFor } from "@/lib/database/held-transactions";
import { db, type Transaction } from "@/lib/database/open";
import { provisioningRequests, provisioningTokens } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { getConnectionRow, lockConnection } from "@/lib/features/connections/rows";
import { maxProvisioningRequests, maxTokenOverlapDays } from "@/lib/features/connections/values";
import { invalid } from "@/lib/protocol/errors";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type { ProvisioningRequest, ProvisioningToken } from "./contract";

interface Key {
  tenantId: string;
  connectionId: string;
}

const ofConnection = ({ tenantId, connectionId }: Key) =>
  and(eq(provisioningTokens.tenantId, tenantId), eq(provisioningTokens.connectionId, connectionId));

/** Whether the connection has this token and it has not expired. */
export async function isTokenValid(key: Key, tokenHash: Buffer, now: Date): Promise<boolean> {
  const { validTo } = provisioningTokens;
  const found = await db()
    .select({ createdAt: provisioningTokens.createdAt })
    .from(provisioningTokens)
    .where(
      and(
        ofConnection(key),
        eq(provisioningTokens.tokenHash, tokenHash),
        or(isNull(validTo), gt(validTo, now)),
      ),
    );
  return found.length > 0;
}

/** Makes this the current token. The previous one stays valid until `previousValidTo`, older ones are deleted. False if there was none. */
export async function replaceToken(
  tx: Transaction,
  key: Key,
  { tokenHash, previousValidTo }: { tokenHash: Buffer; previousValidTo: Date },
): Promise<boolean> {
  const isFormer = and(ofConnection(key), gt(provisioningTokens.validTo, new Date(0)));
  await tx.delete(provisioningTokens).where(isFormer);
  const retired = await tx
    .update(provisioningTokens)
    .set({ validTo: previousValidTo })
    .where(ofConnection(key))
    .returning({ createdAt: provisioningTokens.createdAt });
  await tx
    .insert(provisioningTokens)
    .values({ ...key, tokenHash, createdAt: new Date(), validTo: null });
  return retired.length > 0;
}

type ProvisioningRequestRow = typeof provisioningRequests.$inferSelect;

const requestsOf = ({ tenantId, connectionId }: Key) =>
  and(
    eq(provisioningRequests.tenantId, tenantId),
    eq(provisioningRequests.connectionId, connectionId),
  );

/** The requests after the given entry, newest first. */
const selectRequests = (
  key: Key,
  after: string | undefined,
  limit: number,
): Promise<ProvisioningRequestRow[]> =>
  db()
    .select()
    .from(provisioningRequests)
    .where(
      after === undefined
        ? requestsOf(key)
        : and(requestsOf(key), lt(provisioningRequests.entryId, after)),
    )
    .orderBy(desc(provisioningRequests.entryId))
    .limit(limit);

/** Inserts a request and deletes the connection's oldest ones beyond the limit. */
export async function insertRequest(row: ProvisioningRequestRow): Promise<void> {
  const { tenantId, connectionId } = row;
  const table = provisioningRequests;
  await db().insert(table).values(row);
  const newest = sql`(select entry_id from provisioning_requests where tenant_id = ${tenantId} and connection_id = ${connectionId}
    order by entry_id desc offset ${maxProvisioningRequests - 1} limit 1)`;
  await db()
    .delete(table)
    .where(and(requestsOf(row), lt(table.entryId, newest)));
}

const dayMs = 86_400_000;

/** Creates the token of a connection; the previous one stays valid for the overlap. Only its hash is stored. Throws 400 and 404. */
export async function createProvisioningToken(
  caller: Caller,
  connectionId: string,
  { overlap = 86_400 }: { overlap?: number | undefined },
): Promise<ProvisioningToken> {
  if (overlap * 1000 > maxTokenOverlapDays * dayMs)
    throw invalid([
      { pointer: "/overlap", detail: `/overlap must be at most P${maxTokenOverlapDays}D.` },
    ]);
  const { tenantId } = caller;
  const token = newProvisioningToken();
  return transactionFor(caller, async (tx) => {
    await lockTenant(tx, tenantId);
    const { name } = await lockConnection(tx, { tenantId, connectionId });
    const previousValidTo = new Date(Date.now() + overlap * 1000);
    const replaced = { tokenHash: sha256(token), previousValidTo };
    const isRotation = await replaceToken(tx, { tenantId, connectionId }, replaced);
    const until = isRotation ? { previousValidTo: previousValidTo.toISOString() } : {};
    await record(tx, actingAs(caller), {
      action: "connection.provisioning-token-created",
      target: { type: "connection", id: connectionId, name },
      changes: Object.fromEntries(Object.entries(until).map(([key, after]) => [key, { after }])),
    });
    return { token, ...until };
  });
}

const toRequest = (row: ProvisioningRequestRow): ProvisioningRequest => {
  const { entryId: id, occurredAt, method, path, status, scimType, detail, durationMs } = row;
  return {
    ...{ id, occurredAt: occurredAt.toISOString(), method, path, status, durationMs },
    ...(scimType !== null && { scimType }),
    ...(detail !== null && { detail }),
    requestId: row.requestId,
  };
};

/** The provisioning requests of a connection and their outcomes, newest first. Throws 404. */
export async function listProvisioningRequests(
  { tenantId }: Caller,
  connectionId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<ProvisioningRequest>> {
  const key = { tenantId, connectionId };
  await getConnectionRow(key);
  const rows = await selectRequests(key, readCursor(cursor, 1)?.[0], limit + 1);
  const page = cutPage(rows.slice(0, maxProvisioningRequests), limit, (row) => [row.entryId]);
  return { items: page.items.map(toRequest), next: page.next };
}
