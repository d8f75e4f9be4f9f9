import { and, eq } from "drizzle-orm";
import type { TenantRoles } from "@/lib/access/caller";
import type { Transaction } from "@/lib/db/open";
import { roleAssignments } from "@/lib/db/schema/schema";

/** Writes the roles of a user who has none in this tenant; the caller records it. */
export async function grantRoles(tx: Transaction, tenantId: string, userId: string, roles: TenantRoles): Promise<void> {
  const places = [{ siteId: "", roleIds: roles.roleIds }, ...Object.entries(roles.sites).map(([siteId, site]) => ({ siteId, ...site }))];
  const rows = places.flatMap(({ siteId, roleIds }) => roleIds.map((roleId) => ({ tenantId, userId, siteId, roleId })));
  if (rows.length > 0) await tx.insert(roleAssignments).values(rows);
}

/** Makes these the user's roles in this tenant, instead of what they were; the caller records it within `changingAccess`. */
export async function replaceRoles(tx: Transaction, tenantId: string, userId: string, roles: TenantRoles): Promise<void> {
  await tx.delete(roleAssignments).where(and(eq(roleAssignments.tenantId, tenantId), eq(roleAssignments.userId, userId)));
  await grantRoles(tx, tenantId, userId, roles);
}
