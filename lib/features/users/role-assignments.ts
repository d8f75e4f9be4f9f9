import { and, eq, inArray } from "drizzle-orm";
import type { TenantRoles } from "@/lib/access/caller";
import type { Executor, Transaction } from "@/lib/database/open";
import { sites } from "@/lib/database/schema/schema";
import { cellOf, endsOf, isByGroup, type RoleEnds } from "./role-ends";
import { assertSitesExist } from "./role-policy";
import { deleteRoles, findHeldRoles, type HeldRole, insertRoles } from "./role-rows";
import type { UserKey } from "./rows";
import { updateUserRow } from "./rows";

type Assignment = Pick<HeldRole, "siteId" | "roleId"> &
  Partial<Pick<HeldRole, "heldBy" | "expiresAt">>;

/** Role assignments as one text: "site role" by "site role@end", sorted, "" for the whole tenant. `parseGrants` reads it. */
export function grantsOf(rows: readonly Assignment[]): string {
  return rows
    .map(({ siteId, roleId, heldBy, expiresAt }) => {
      const end = expiresAt && !isByGroup({ heldBy }) ? `@${expiresAt.getTime()}` : "";
      return `${siteId} ${roleId}${end}`;
    })
    .sort()
    .join(",");
}

/** The expiry of roles by cell, parsed from their text. */
export const endsInGrants = (grants: string): RoleEnds =>
  new Map(
    grants.split(",").flatMap((grant) => {
      const [cell = "", end] = grant.split("@");
      return end === undefined ? [] : [[cell, new Date(Number(end))]];
    }),
  );

/** Locks the given sites that exist in the tenant until the transaction ends, and returns them. */
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

/** The sites of a tenant, read from the database. */
export async function siteIdsOf(on: Executor, tenantId: string): Promise<ReadonlySet<string>> {
  const rows = await on
    .select({ siteId: sites.siteId })
    .from(sites)
    .where(eq(sites.tenantId, tenantId));
  return new Set(rows.map(({ siteId }) => siteId));
}

interface Grantee extends UserKey {
  held?: readonly HeldRole[];
  ends?: RoleEnds;
}

/**
 * Writes the roles of a user who has none in this tenant, as rows to search and as the text to read; the caller records it.
 * Throws 400 for a site that no longer exists; `pointer` is the position of the roles in the body.
 */
export async function grantRoles(
  tx: Transaction,
  { tenantId, userId, held = [], ends = endsOf(held) }: Grantee,
  roles: TenantRoles,
  pointer: string,
): Promise<void> {
  assertSitesExist(await lockSites(tx, tenantId, Object.keys(roles.sites)), roles, pointer);
  const places = [
    { siteId: "", roleIds: roles.roleIds },
    ...Object.entries(roles.sites).map(([siteId, site]) => ({ siteId, ...site })),
  ];
  const former = new Map(held.map((role) => [cellOf(role), role]));
  const rows = places.flatMap(({ siteId, roleIds }) =>
    roleIds.map((roleId) => {
      const cell = cellOf({ siteId, roleId });
      const { heldBy = "hand", expiresAt = null } = former.get(cell) ?? {};
      // While a group grants the role too, the expiry of the manual grant is stored for the time after the group's.
      const end = isByGroup({ heldBy }) ? expiresAt : (ends.get(cell) ?? null);
      return { tenantId, userId, siteId, roleId, heldBy, expiresAt: end };
    }),
  );
  await insertRoles(tx, rows);
  await updateUserRow(tx, { tenantId, userId }, { grants: grantsOf(rows) });
}

/** Replaces the user's roles in this tenant; roles from groups remain marked, and without `ends` each role keeps its expiry. The caller records it within `withAccessChange`. */
export async function replaceRoles(
  tx: Transaction,
  { tenantId, userId, ends }: UserKey & { ends?: RoleEnds },
  roles: TenantRoles,
): Promise<void> {
  const held = await findHeldRoles(tx, { tenantId, userId });
  await deleteRoles(tx, { tenantId, userId });
  await grantRoles(tx, { tenantId, userId, held, ...(ends && { ends }) }, roles, "");
}
