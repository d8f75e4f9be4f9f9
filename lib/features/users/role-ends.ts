import { rolesAtSite, type TenantRoles } from "@/lib/access/caller";
import { invalid } from "@/lib/protocol/errors";
import type { HeldRole } from "./role-rows";

/*
 * A role that was granted by hand may end by itself. `parseGrants` leaves it out from that instant on, on every process, and the
 * statements on `role_assignments` do the same; the cleaning only removes the row. What a group gives has no end: the group has.
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

/** When the roles of a user end: those of which nobody but a person says so. */
export const endsOf = (held: readonly HeldRole[]): RoleEnds =>
  new Map(
    held.flatMap((role) =>
      role.expiresAt === null || isByGroup(role) ? [] : [[cellOf(role), role.expiresAt]],
    ),
  );

interface WantedPlace {
  roleIds: string[];
  /** null takes an end away. */
  expiresAt?: Readonly<Record<string, Date | null | undefined>> | undefined;
}

/** Roles as a request sets them, with the ends that it says something of. */
export type RolesWithEnds = WantedPlace & { sites: Record<string, WantedPlace> };

const placesOf = <Place>(roles: Place & { sites: Record<string, Place> }) => [
  { siteId: "", place: roles as Place },
  ...Object.entries(roles.sites).map(([siteId, place]) => ({ siteId, place })),
];

/** The ends that the request sets, null for those that it takes away. Throws 400 for one that has passed, or of a role that is not set. */
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

/** When the roles end after the request: one of which it says nothing keeps its end. */
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

/** The cells of which one has another end than the other, or none. */
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

/** The roles as one user's are shown. */
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
