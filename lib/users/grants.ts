import { and, eq, inArray } from "drizzle-orm";
import type { TenantRoles } from "@/lib/access/caller";
import { ApiError } from "@/lib/api/errors";
import type { Transaction } from "@/lib/db/open";
import { roleAssignments, sites, users } from "@/lib/db/schema/schema";

/** Role assignments as one text: "site role" by "site role", sorted, "" for the whole tenant. `parseGrants` reads it. */
export function grantsOf(rows: readonly { siteId: string; roleId: string }[]): string {
  return rows
    .map(({ siteId, roleId }) => `${siteId} ${roleId}`)
    .sort()
    .join(",");
}

const self = (tenantId: string, userId: string) => and(eq(users.tenantId, tenantId), eq(users.userId, userId));

/** Holds the sites until the transaction ends. Throws 400 for one that was deleted after the caller's sites were read. */
async function holdSites(tx: Transaction, tenantId: string, siteIds: string[]): Promise<void> {
  if (siteIds.length === 0) return;
  const there = and(eq(sites.tenantId, tenantId), inArray(sites.siteId, siteIds));
  const held = new Set((await tx.select({ siteId: sites.siteId }).from(sites).where(there).for("key share")).map(({ siteId }) => siteId));
  const gone = siteIds.find((siteId) => !held.has(siteId));
  if (gone !== undefined) throw new ApiError("site.unknown", `The tenant has no site "${gone}".`, `/sites/${gone}`);
}

/**
 * Writes the roles of a user who has none in this tenant, as rows to search and as the text to read; the caller records it.
 * Throws 400 for a site that is no longer there.
 */
export async function grantRoles(tx: Transaction, tenantId: string, userId: string, roles: TenantRoles): Promise<void> {
  await holdSites(tx, tenantId, Object.keys(roles.sites));
  const places = [{ siteId: "", roleIds: roles.roleIds }, ...Object.entries(roles.sites).map(([siteId, site]) => ({ siteId, ...site }))];
  const rows = places.flatMap(({ siteId, roleIds }) => roleIds.map((roleId) => ({ tenantId, userId, siteId, roleId })));
  if (rows.length > 0) await tx.insert(roleAssignments).values(rows);
  await tx
    .update(users)
    .set({ grants: grantsOf(rows) })
    .where(self(tenantId, userId));
}

/** Makes these the user's roles in this tenant, instead of what they were; the caller records it within `changingAccess`. */
export async function replaceRoles(tx: Transaction, tenantId: string, userId: string, roles: TenantRoles): Promise<void> {
  await tx.delete(roleAssignments).where(and(eq(roleAssignments.tenantId, tenantId), eq(roleAssignments.userId, userId)));
  await grantRoles(tx, tenantId, userId, roles);
}
