import { and, desc, eq, lt, sql } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { provisioningRequests } from "@/lib/database/schema/schema";
import { maxProvisioningRequests } from "./values";

export type ProvisioningRequestRow = typeof provisioningRequests.$inferSelect;

interface Key {
  tenantId: string;
  connectionId: string;
}

const ofConnection = ({ tenantId, connectionId }: Key) =>
  and(
    eq(provisioningRequests.tenantId, tenantId),
    eq(provisioningRequests.connectionId, connectionId),
  );

/** Newest first, beginning after the entry. */
export const selectRequests = (
  key: Key,
  after: string | undefined,
  limit: number,
): Promise<ProvisioningRequestRow[]> =>
  db()
    .select()
    .from(provisioningRequests)
    .where(
      after === undefined
        ? ofConnection(key)
        : and(ofConnection(key), lt(provisioningRequests.entryId, after)),
    )
    .orderBy(desc(provisioningRequests.entryId))
    .limit(limit);

/** Keeps the newest entries of the connection: the one that this leaves behind is deleted by the same statement. */
export async function insertRequest(row: ProvisioningRequestRow): Promise<void> {
  const { tenantId, connectionId } = row;
  const table = provisioningRequests;
  await db().insert(table).values(row);
  const newest = sql`(select entry_id from provisioning_requests where tenant_id = ${tenantId} and connection_id = ${connectionId}
    order by entry_id desc offset ${maxProvisioningRequests - 1} limit 1)`;
  await db()
    .delete(table)
    .where(and(ofConnection(row), lt(table.entryId, newest)));
}
