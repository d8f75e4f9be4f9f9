import { and, eq, inArray } from "drizzle-orm";
import type { TenantRoles } from "@/lib/access/caller";
import type { Executor, Transaction } from "@/lib/database/open";
import { sites } from "@/lib/database/schema/schema";
import { assertSitesExist } from "./role-policy";
import type { UserKey } from "./rows";
import { deleteRoles, findHeldRoles, type HeldRole, insertRoles, updateUserRow } from "./rows";

/** Role assignments as one text: "site role" by "site role", sorted, "" for the whole tenant. `parseGrants` reads it. */
export function grantsOf(rows: readonly { siteId: string; roleId: string }[]): string {
  return rows
    .map(({ siteId, roleId }) => `${siteId} ${roleId}`)
    .sort()
    .join(",");
}

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

/** The sites of a tenant as the store has them now. */
export async function siteIdsOf(on: Executor, tenantId: string): Promise<ReadonlySet<string>> {
  const rows = await on
    .select({ siteId: sites.siteId })
    .from(sites)
    .where(eq(sites.tenantId, tenantId));
  return new Set(rows.map(({ siteId }) => siteId));
}

/**
 * Writes the roles of a user who has none in this tenant, as rows to search and as the text to read; the caller records it.
 * Throws 400 for a site that is no longer there; `pointer` is where the roles stand in the body.
 */
export async function grantRoles(
  tx: Transaction,
  { tenantId, userId, held = [] }: UserKey & { held?: readonly HeldRole[] },
  roles: TenantRoles,
  pointer: string,
): Promise<void> {
  assertSitesExist(await lockSites(tx, tenantId, Object.keys(roles.sites)), roles, pointer);
  const places = [
    { siteId: "", roleIds: roles.roleIds },
    ...Object.entries(roles.sites).map(([siteId, site]) => ({ siteId, ...site })),
  ];
  const holder = new Map(held.map(({ siteId, roleId, heldBy }) => [`${siteId} ${roleId}`, heldBy]));
  const rows = places.flatMap(({ siteId, roleIds }) =>
    roleIds.map((roleId) => {
      const heldBy = holder.get(`${siteId} ${roleId}`) ?? ("hand" as const);
      return { tenantId, userId, siteId, roleId, heldBy };
    }),
  );
  await insertRoles(tx, rows);
  await updateUserRow(tx, { tenantId, userId }, { grants: grantsOf(rows) });
}

/** Makes these the user's roles in this tenant, instead of what they were; what a group gave stays marked. The caller records it within `withAccessChange`. */
export async function replaceRoles(
  tx: Transaction,
  tenantId: string,
  userId: string,
  roles: TenantRoles,
): Promise<void> {
  const held = await findHeldRoles(tx, { tenantId, userId });
  await deleteRoles(tx, { tenantId, userId });
  await grantRoles(tx, { tenantId, userId, held }, roles, "");
}
