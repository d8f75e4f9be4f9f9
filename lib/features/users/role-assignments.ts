import { and, eq, inArray } from "drizzle-orm";
import type { TenantRoles } from "@/lib/access/caller";
import type { Transaction } from "@/lib/database/open";
import { roleAssignments, sites, users } from "@/lib/database/schema/schema";
import { assertSitesExist } from "./role-policy";

/** Role assignments as one text: "site role" by "site role", sorted, "" for the whole tenant. `parseGrants` reads it. */
export function grantsOf(rows: readonly { siteId: string; roleId: string }[]): string {
  return rows
    .map(({ siteId, roleId }) => `${siteId} ${roleId}`)
    .sort()
    .join(",");
}

const self = (tenantId: string, userId: string) =>
  and(eq(users.tenantId, tenantId), eq(users.userId, userId));

/** The tenant's sites among these, which stay until the transaction ends. */
async function lockSites(
  tx: Transaction,
  tenantId: string,
  siteIds: string[],
): Promise<ReadonlySet<string>> {
  if (siteIds.length === 0) return new Set();
  const there = and(eq(sites.tenantId, tenantId), inArray(sites.siteId, siteIds));
  const held = await tx.select({ siteId: sites.siteId }).from(sites).where(there).for("key share");
  return new Set(held.map(({ siteId }) => siteId));
}

/**
 * Writes the roles of a user who has none in this tenant, as rows to search and as the text to read; the caller records it.
 * Throws 400 for a site that is no longer there; `pointer` is where the roles stand in the body.
 */
export async function grantRoles(
  tx: Transaction,
  tenantId: string,
  userId: string,
  roles: TenantRoles,
  pointer: string,
): Promise<void> {
  assertSitesExist(await lockSites(tx, tenantId, Object.keys(roles.sites)), roles, pointer);
  const places = [
    { siteId: "", roleIds: roles.roleIds },
    ...Object.entries(roles.sites).map(([siteId, site]) => ({ siteId, ...site })),
  ];
  const rows = places.flatMap(({ siteId, roleIds }) =>
    roleIds.map((roleId) => ({ tenantId, userId, siteId, roleId })),
  );
  if (rows.length > 0) await tx.insert(roleAssignments).values(rows);
  await tx
    .update(users)
    .set({ grants: grantsOf(rows) })
    .where(self(tenantId, userId));
}

/** Makes these the user's roles in this tenant, instead of what they were; the caller records it within `withAccessChange`. */
export async function replaceRoles(
  tx: Transaction,
  tenantId: string,
  userId: string,
  roles: TenantRoles,
): Promise<void> {
  await tx
    .delete(roleAssignments)
    .where(and(eq(roleAssignments.tenantId, tenantId), eq(roleAssignments.userId, userId)));
  await grantRoles(tx, tenantId, userId, roles, "");
}
