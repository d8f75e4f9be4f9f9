import { rolesAtSite, type TenantRoles } from "@/lib/access/caller";
import { invalid } from "@/lib/protocol/errors";
import type { HeldRole } from "./role-rows";

/*
 * A manually granted role may expire. `parseGrants` omits it from that instant on, in every process, and so do the statements on
 * `role_assignments`; the cleanup only deletes the row. Roles from groups have no expiry: the group determines it.
 */

/** A role at a place, as one text. */
export const cellOf = ({ siteId, roleId }: Pick<HeldRole, "siteId" | "roleId">) =>
  `${siteId} ${roleId}`;

/** Instants by cell. */
export type RoleEnds = ReadonlyMap<string, Date>;

export const isByGroup = ({ heldBy = "hand" }: { heldBy?: HeldRole["heldBy"] | undefined }) =>
  heldBy !== "hand";
export const isForGood = (role: HeldRole) => isByGroup(role) || role.expiresAt === null;
export const isEnded = ({ expiresAt }: HeldRole) => expiresAt !== null && expiresAt <= new Date();

/** The expiry of a user's manually granted roles. */
export const endsOf = (held: readonly HeldRole[]): RoleEnds =>
  new Map(
    held.flatMap((role) =>
      role.expiresAt === null || isByGroup(role) ? [] : [[cellOf(role), role.expiresAt]],
    ),
  );

interface WantedPlace {
  roleIds: string[];
  /** null removes an expiry. */
  expiresAt?: Readonly<Record<string, Date | null | undefined>> | undefined;
}

/** Roles as a request sets them, with the expiries that it contains. */
export type RolesWithEnds = WantedPlace & { sites: Record<string, WantedPlace> };

const placesOf = <Place>(roles: Place & { sites: Record<string, Place> }) => [
  { siteId: "", place: roles as Place },
  ...Object.entries(roles.sites).map(([siteId, place]) => ({ siteId, place })),
];

/** The expiries that the request sets, null for those that it removes. Throws 400 for one in the past, or for a role that is not set. */
function readEnds(wanted: RolesWithEnds): Map<string, Date | null> {
  const read = new Map<string, Date | null>();
  for (const { siteId, place } of placesOf(wanted)) {
    for (const [roleId, end] of Object.entries(place.expiresAt ?? {})) {
      const pointer = `${siteId === "" ? "" : `/sites/${siteId}`}/expiresAt/${roleId}`;
      const isSet = place.roleIds.includes(roleId);
      if (!isSet) throw invalid([{ pointer, detail: `${pointer} is of a role that is not set.` }]);
      if (end === undefined) continue;
      if (end !== null && end <= new Date())
        throw invalid([{ pointer, detail: `${pointer} must be in the future.` }]);
      read.set(cellOf({ siteId, roleId }), end);
    }
  }
  return read;
}

/** The expiries after the request: roles that it does not mention keep theirs. */
export function endsAfter(known: RoleEnds, wanted: RolesWithEnds, after: TenantRoles): RoleEnds {
  const read = readEnds(wanted);
  const ends = new Map<string, Date>();
  for (const { siteId, place } of placesOf<{ roleIds: string[] }>(after))
    for (const roleId of place.roleIds) {
      const cell = cellOf({ siteId, roleId });
      const end = read.has(cell) ? read.get(cell) : known.get(cell);
      if (end) ends.set(cell, end);
    }
  return ends;
}

/** The cells whose expiries differ. */
export const changedEnds = (before: RoleEnds, after: RoleEnds): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (cell) => before.get(cell)?.getTime() !== after.get(cell)?.getTime(),
  );

/** The roles without those of some cells. */
export function rolesWithout(roles: TenantRoles, cells: Iterable<string>): TenantRoles {
  const left = new Set(cells);
  const at = (siteId: string, roleIds: readonly string[]) =>
    roleIds.filter((roleId) => !left.has(cellOf({ siteId, roleId })));
  const sites = Object.entries(roles.sites).map(
    ([siteId, { roleIds }]) => [siteId, { roleIds: at(siteId, roleIds) }] as const,
  );
  return { roleIds: at("", roles.roleIds), sites: Object.fromEntries(sites) };
}

interface ShownPlace {
  roleIds: string[];
  expiresAt?: Record<string, string>;
}

/** The roles of one user in a response. */
export function shownRoles(
  roles: TenantRoles,
  ends: RoleEnds,
): ShownPlace & { sites: Record<string, ShownPlace> } {
  const at = (siteId: string, roleIds: string[]): ShownPlace => {
    const shown = roleIds.flatMap((roleId) => {
      const end = ends.get(cellOf({ siteId, roleId }));
      return end ? [[roleId, end.toISOString()] as const] : [];
    });
    return { roleIds, ...(shown.length > 0 && { expiresAt: Object.fromEntries(shown) }) };
  };
  const sites = Object.keys(roles.sites).map(
    (siteId) => [siteId, at(siteId, rolesAtSite(roles, siteId) ?? [])] as const,
  );
  return { ...at("", roles.roleIds), sites: Object.fromEntries(sites) };
}
