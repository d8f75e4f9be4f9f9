import type { TenantRoles } from "@/lib/access/caller";
import { parseGrants } from "@/lib/access/credential-store";
import type { Executor } from "@/lib/database/open";
import { selectEmergencyAdministrators } from "@/lib/features/users/emergency-rows";
import {
  type RolesChange,
  selectHeldRoles,
  selectHoldersByGroup,
  selectOwnPeople,
} from "@/lib/features/users/held-roles";
import { grantsOf, siteIdsOf } from "@/lib/features/users/role-assignments";
import { cellOf, isEnded } from "@/lib/features/users/role-ends";
import { guardedRoles } from "@/lib/features/users/role-policy";
import type { HeldRole } from "@/lib/features/users/role-rows";
import type { GroupRoles } from "@/lib/protocol/documents/group-roles";
import { type Membership, membershipsOf, membersOfGroups } from "./group-rows";
import { selectConnections } from "./rows";

/*
 * The role changes that follow from group memberships, as a plan that can be previewed before it is applied.
 *
 *   a role granted by hand and by a group    both
 *   a role of a group only                   group; revoked with the membership
 *   a role of both, no longer of a group     hand; the manual grant stays valid until its expiry, if any
 */

/** The users to plan for: these users, all members of these groups, and (`holders`) all users with a role from a group. */
export interface Scope {
  userIds?: readonly string[];
  groups?: readonly string[];
  holders?: boolean;
}

export interface Plan extends RolesChange {
  login: string;
  name: string;
}

type Lines = ReadonlyMap<string, readonly GroupRoles[]>;

const wholeTenant = "";

/** The roles of a line, each with its site. Omits roles that the line may not grant, even if they are stored. */
export function cellsOf(
  { roles, grantsAdministration }: GroupRoles,
  siteIds: ReadonlySet<string>,
): { siteId: string; roleId: string }[] {
  const places = [
    { siteId: wholeTenant, roleIds: roles.roleIds },
    ...Object.entries(roles.sites).map(([siteId, site]) => ({ siteId, ...site })),
  ];
  return places
    .filter(({ siteId }) => siteId === wholeTenant || siteIds.has(siteId))
    .flatMap(({ siteId, roleIds }) => roleIds.map((roleId) => ({ siteId, roleId })))
    .filter(({ roleId }) => grantsAdministration || !guardedRoles.includes(roleId));
}

/** The roles of a user after the groups grant the given ones. */
function planned(
  userId: string,
  before: readonly HeldRole[],
  given: readonly string[],
): HeldRole[] {
  const wanted = new Set(given);
  const kept = before.flatMap((role): HeldRole[] => {
    const isGiven = wanted.delete(cellOf(role));
    if (role.heldBy === "group") return isGiven ? [role] : [];
    if (isGiven) return [{ ...role, heldBy: "both" }];
    return isEnded(role) ? [] : [{ ...role, heldBy: "hand" }];
  });
  const added = [...wanted].map((cell): HeldRole => {
    const [siteId = "", roleId = ""] = cell.split(" ");
    return { userId, siteId, roleId, heldBy: "group", expiresAt: null };
  });
  return [...kept, ...added];
}

const textOf = (roles: readonly HeldRole[]) =>
  roles
    .map((role) => `${cellOf(role)} ${role.heldBy}`)
    .sort()
    .join();

/** The roles without their source. */
export const rolesOf = (held: readonly HeldRole[]): TenantRoles => parseGrants(grantsOf(held));

/** The lines of every connection of the tenant. */
export async function linesOf(on: Executor, tenantId: string): Promise<Map<string, GroupRoles[]>> {
  const rows = await selectConnections(tenantId, on);
  return new Map(rows.map(({ connectionId, groupRoles }) => [connectionId, groupRoles]));
}

function byUser<Row extends { userId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const list = found.get(row.userId);
    if (list) list.push(row);
    else found.set(row.userId, [row]);
  }
  return found;
}

async function peopleIn(on: Executor, tenantId: string, scope: Scope): Promise<string[]> {
  const { userIds = [], groups = [], holders = false } = scope;
  const members = groups.length > 0 ? await membersOfGroups(on, tenantId, groups) : [];
  const having = holders ? await selectHoldersByGroup(on, tenantId) : [];
  return [...new Set([...userIds, ...members.map(({ userId }) => userId), ...having])];
}

const cellsGiven = (
  memberships: readonly Membership[],
  lines: Lines,
  siteIds: ReadonlySet<string>,
) =>
  memberships.flatMap(({ connectionId, group }) =>
    (lines.get(connectionId) ?? [])
      .filter((line) => line.group === group)
      .flatMap((line) => cellsOf(line, siteIds).map(cellOf)),
  );

/**
 * Plans for the users whose roles differ from those of their groups. Omits emergency administrators, guests, service users and the
 * platform's own users: groups never change them.
 */
export async function planGroupRoles(
  on: Executor,
  tenantId: string,
  scope: Scope,
  proposed?: Lines,
): Promise<Plan[]> {
  const userIds = await peopleIn(on, tenantId, scope);
  if (userIds.length === 0) return [];
  const lines = proposed ?? (await linesOf(on, tenantId));
  const siteIds = await siteIdsOf(on, tenantId);
  const memberships = byUser(await membershipsOf(on, tenantId, userIds));
  const held = byUser(await selectHeldRoles(on, tenantId, userIds));
  const spared = new Set(
    (await selectEmergencyAdministrators(on, tenantId))
      .filter(({ isAdministrator }) => isAdministrator)
      .map(({ userId }) => userId),
  );
  return (await selectOwnPeople(on, tenantId, userIds))
    .filter(({ userId }) => !spared.has(userId))
    .map((person): Plan => {
      const before = held.get(person.userId) ?? [];
      const given = cellsGiven(memberships.get(person.userId) ?? [], lines, siteIds);
      return { ...person, before, after: planned(person.userId, before, given) };
    })
    .filter(({ before, after }) => textOf(before) !== textOf(after));
}
