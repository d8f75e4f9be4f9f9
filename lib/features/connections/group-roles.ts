import type { z } from "zod";
import { type Caller, siteOfScope, type TenantRoles } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { findTarget } from "@/lib/features/users/find-target";
import {
  addedRoles,
  assertSitesExist,
  guardedRoles,
  rolesOfPlaces,
  rolesWithinSite,
  sortedRoles,
} from "@/lib/features/users/role-policy";
import type { GroupRoles } from "@/lib/protocol/documents/group-roles";
import { invalid } from "@/lib/protocol/errors";
import type { GroupRolesList, GroupRolesPreview, UserGroupRoles } from "./group-contract";
import { cellsOf, linesOf, type Plan, planGroupRoles, rolesOf } from "./group-plan";
import { membershipsOf, membersOfGroups } from "./group-rows";
import { getConnectionRow, selectConnections } from "./rows";

type Given = z.output<typeof GroupRolesList>;

const everyRole = ({ roleIds, sites }: TenantRoles) => [
  ...roleIds,
  ...Object.values(sites).flatMap((site) => site.roleIds),
];

/** Why a line cannot be stored; undefined for one that can. */
function problemOf({ group, roles, grantsAdministration }: Given[number], earlier: Given) {
  if (earlier.some((one) => one.group === group)) return ["/group", "names a group twice."];
  const guarded = everyRole(roles).find((id) => guardedRoles.includes(id));
  if (guarded === undefined || grantsAdministration) return undefined;
  return ["/grantsAdministration", `must be true where a group gives ${guarded}.`];
}

/** The lines as stored. Throws 400 for a duplicate group, an unknown site, and roles that need `grantsAdministration`. */
export function readGroupRoles(caller: Caller, given: Given): GroupRoles[] {
  const problems = given.flatMap((line, index) => {
    const [member, wrong] = problemOf(line, given.slice(0, index)) ?? [];
    const pointer = `/groupRoles/${index}${member}`;
    return wrong === undefined ? [] : [{ pointer, detail: `${pointer} ${wrong}` }];
  });
  if (problems.length > 0) throw invalid(problems);
  return given.map((line, index) => {
    assertSitesExist(caller.siteIds, line.roles, `/groupRoles/${index}/roles`);
    return { ...line, roles: sortedRoles(line.roles) };
  });
}

const maxShown = 200;

function shownOf({ userId: id, login, name, before, after }: Plan) {
  const [former, next] = [rolesOf(before), rolesOf(after)];
  const gains = sortedRoles(rolesOfPlaces(addedRoles(former, next)));
  const loses = sortedRoles(rolesOfPlaces(addedRoles(next, former)));
  return { id, login, name, gains, loses };
}

/** The users who would gain or lose roles. Throws 400 and 404. */
export async function previewGroupRoles(
  caller: Caller,
  connectionId: string,
  given: Given,
): Promise<GroupRolesPreview> {
  const { tenantId } = caller;
  await getConnectionRow({ tenantId, connectionId });
  const lines = readGroupRoles(caller, given);
  const groups = lines.map(({ group }) => group);
  const proposed = (await linesOf(db(), tenantId)).set(connectionId, lines);
  const plans = await planGroupRoles(db(), tenantId, { groups, holders: true }, proposed);
  const members = groups.length > 0 ? await membersOfGroups(db(), tenantId, groups) : [];
  const isHere = (group: string) => (one: (typeof members)[number]) =>
    one.group === group && one.connectionId === connectionId;
  const count = ({ roleIds, sites }: TenantRoles) => everyRole({ roleIds, sites }).length;
  const changes = plans.map(shownOf).filter(({ gains, loses }) => count(gains) + count(loses) > 0);
  return {
    groups: groups.map((group) => ({ group, members: members.filter(isHere(group)).length })),
    changes: changes.length,
    people: changes.toSorted((a, b) => count(b.loses) - count(a.loses)).slice(0, maxShown),
  };
}

/** The groups that grant the user roles; a site's manager sees only the roles at that site. Throws 404. */
export async function listUserGroupRoles(
  caller: Caller,
  userId: string,
): Promise<UserGroupRoles[]> {
  const { tenantId } = caller;
  await findTarget(db(), caller, userId, "user.manage");
  const memberships = await membershipsOf(db(), tenantId, [userId]);
  const connections = await selectConnections(tenantId);
  const site = siteOfScope(caller, "user.manage");
  return connections.flatMap(({ connectionId, name, groupRoles }) => {
    const isIn = ({ group }: GroupRoles) =>
      memberships.some((one) => one.connectionId === connectionId && one.group === group);
    return groupRoles.filter(isIn).map((line) => {
      const cells = cellsOf(line, caller.siteIds);
      const roles = rolesOfPlaces(cells.map(({ siteId, roleId }) => ({ place: siteId, roleId })));
      const connection = { id: connectionId, name };
      return { connection, group: line.group, roles: rolesWithinSite(roles, site) };
    });
  });
}
