import { newId } from "@/lib/database/ids";
import { type Transaction, uniqueViolation } from "@/lib/database/open";
import { record } from "@/lib/features/audit/service";
import { forgetClaimedGroups } from "@/lib/features/connections/group-rows";
import { syncGroupRoles, withGroupChange } from "@/lib/features/connections/sync-group-roles";
import { maxGroups } from "@/lib/features/connections/values";
import { selectEmergencyAdministrators } from "@/lib/features/users/emergency-rows";
import type { AuditChanges } from "@/lib/protocol/documents/audit-entry";
import { conditionOnGroups } from "./filter";
import { type Group, groupKey, groupOf, patchedGroup, toGroup } from "./group-attributes";
import {
  addMembers,
  countGroups,
  countMembers,
  deleteGroupRow,
  findGroup,
  type GroupRow,
  insertGroup,
  type MemberRow,
  reachedOf,
  removeMembers,
  selectGroups,
  selectMembers,
  setGroup,
} from "./group-rows";
import { listOf, pageOf } from "./lists";
import { notProvisionable } from "./may-provision";
import { isAsked, project, type Resource } from "./resource";
import { ScimError } from "./scim-error";
import type { Provisioner } from "./users";

/** The most members of all groups in one response; a group with more is the only one. */
const maxShownMembers = 10_000;
/** The most joined or left members that an audit entry lists. */
const maxNamed = 100;

const notFound = () => new ScimError(404, undefined, "There is no such group of this connection.");

const keyOf = ({ tenantId, connectionId }: Provisioner, groupId: string) => ({
  ...{ tenantId, connectionId, groupId },
});

/** A group with its members, as a SCIM resource. */
export async function getGroup(by: Provisioner, groupId: string): Promise<Resource> {
  const row = await findGroup(keyOf(by, groupId));
  if (!row) throw notFound();
  return toGroup(row, await selectMembers(by, [groupId]), by.base);
}

/** The first groups whose members are within the limit of one response, at least one. */
async function fitting(by: Provisioner, rows: GroupRow[]): Promise<GroupRow[]> {
  const sizes = await countMembers(
    by,
    rows.map(({ groupId }) => groupId),
  );
  let shown = 0;
  const end = rows.findIndex(({ groupId }) => {
    shown += sizes.get(groupId) ?? 0;
    return shown > maxShownMembers;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}

/** The groups that the filter selects. A page with members may be shorter than requested, which RFC 7644 allows. */
export async function listGroups(by: Provisioner, query: URLSearchParams): Promise<object> {
  const { startIndex, count } = pageOf(query);
  const condition = conditionOnGroups(query);
  const page = { offset: startIndex - 1, limit: count };
  const found = count === 0 ? [] : await selectGroups(by, condition, page);
  const isWhole = startIndex === 1 && found.length < count;
  const total = isWhole ? found.length : await countGroups(by, condition);
  const hasMembers = isAsked(query, "members");
  const rows = hasMembers ? await fitting(by, found) : found;
  const ids = rows.map(({ groupId }) => groupId);
  const members = hasMembers ? await selectMembers(by, ids) : [];
  const shown = project(query);
  const ofGroup = new Map<string, MemberRow[]>(ids.map((id) => [id, []]));
  for (const member of members) ofGroup.get(member.groupId)?.push(member);
  const resources = rows.map((row) => {
    const { members: list, ...group } = toGroup(row, ofGroup.get(row.groupId) ?? [], by.base);
    return shown(hasMembers ? { ...group, members: list } : group);
  });
  return listOf(total, startIndex, resources);
}

/** Throws 404 for members out of reach of the connection, and 403 for emergency administrators. */
async function assertMembers(tx: Transaction, by: Provisioner, userIds: string[]): Promise<void> {
  if ((await reachedOf(tx, by, userIds)).length < userIds.length)
    throw new ScimError(404, "invalidValue", "A member is no user of this connection.");
  if (userIds.length === 0) return;
  const named = await selectEmergencyAdministrators(tx, by.tenantId);
  if (named.some(({ userId, isAdministrator }) => isAdministrator && userIds.includes(userId)))
    throw notProvisionable();
}

/** Maps unique violations of the store to 409. */
async function withUniqueness<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const index = uniqueViolation(error);
    if (index === "provisioned_groups_name_unique")
      throw new ScimError(409, "uniqueness", "Another group of the connection has this name.");
    if (index === "provisioned_groups_external_unique")
      throw new ScimError(409, "uniqueness", "Another group has this externalId.");
    throw error;
  }
}

/** Runs a change of groups. Changes in a tenant are serialized, so that no concurrent one is lost. */
const changingGroups = <Result>(
  by: Provisioner,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> => withUniqueness(() => withGroupChange(by.tenantId, work));

const recordChange = (
  tx: Transaction,
  { acting, connectionId, connection: { name } }: Provisioner,
  action: "connection.group-created" | "connection.group-updated" | "connection.group-deleted",
  changes: AuditChanges,
) =>
  record(tx, acting, {
    action,
    target: { type: "connection", id: connectionId, name },
    changes,
  });

/** Creates a group. Throws 409 for a name or externalId in use, and if the connection has the maximum of groups. */
export async function createGroup(by: Provisioner, body: Resource): Promise<Resource> {
  const { name, externalId, members } = groupOf(body);
  const key = keyOf(by, newId("grp"));
  await changingGroups(by, async (tx) => {
    if ((await countGroups(by, undefined, tx)) >= maxGroups)
      throw new ScimError(409, "tooMany", `A connection has at most ${maxGroups} groups.`);
    const now = { createdAt: new Date(), changedAt: new Date() };
    await insertGroup(tx, { ...key, name, nameKey: groupKey(name), externalId, ...now });
    await assertMembers(tx, by, [...members]);
    await addMembers(tx, key, [...members]);
    await recordChange(tx, by, "connection.group-created", {
      ...{ group: { after: name }, members: { after: members.size } },
    });
    await syncGroupRoles(tx, by.acting, { userIds: [...members], holders: true });
  });
  return getGroup(by, key.groupId);
}

const namedIn = (userIds: string[]) => userIds.slice(0, maxNamed);

/** Changes a group to the result of `next` for its current state; writes nothing if they are equal. */
async function change(by: Provisioner, groupId: string, next: (before: Group) => Group) {
  const key = keyOf(by, groupId);
  await changingGroups(by, async (tx) => {
    const row = await findGroup(key, tx);
    if (!row) throw notFound();
    const members = new Set((await selectMembers(by, [groupId], tx)).map(({ userId }) => userId));
    const after = next({ name: row.name, externalId: row.externalId, members });
    const joined = [...after.members].filter((id) => !members.has(id));
    const left = [...members].filter((id) => !after.members.has(id));
    const isSame = after.name === row.name && after.externalId === row.externalId;
    if (isSame && joined.length + left.length === 0) return;
    await assertMembers(tx, by, joined);
    const { name, externalId } = after;
    const nameKey = groupKey(name);
    await setGroup(tx, key, { name, nameKey, externalId, changedAt: new Date() });
    await removeMembers(tx, key, left);
    await addMembers(tx, key, joined);
    await recordChange(tx, by, "connection.group-updated", {
      group: { before: row.name, after: name },
      members: { before: members.size, after: after.members.size },
      ...(joined.length > 0 && { joined: { after: namedIn(joined) } }),
      ...(left.length > 0 && { left: { before: namedIn(left) } }),
    });
    if (name === row.name) return syncGroupRoles(tx, by.acting, { userIds: [...joined, ...left] });
    await forgetClaimedGroups(tx, by, row.name);
    await syncGroupRoles(tx, by.acting, { userIds: [...after.members], holders: true });
  });
}

/** Replaces a group by the body. */
export async function replaceGroup(by: Provisioner, groupId: string, body: Resource) {
  await change(by, groupId, () => groupOf(body));
  return getGroup(by, groupId);
}

/** Applies the operations of a PATCH. */
export const patchGroup = (by: Provisioner, groupId: string, body: Resource): Promise<void> =>
  change(by, groupId, (before) => patchedGroup(before, body));

/** Deletes a group, but not its members. Throws 404. */
export async function deleteGroup(by: Provisioner, groupId: string): Promise<void> {
  const key = keyOf(by, groupId);
  await changingGroups(by, async (tx) => {
    const row = await findGroup(key, tx);
    if (!row) throw notFound();
    await deleteGroupRow(tx, key);
    await forgetClaimedGroups(tx, by, row.name);
    await recordChange(tx, by, "connection.group-deleted", { group: { before: row.name } });
    await syncGroupRoles(tx, by.acting, { holders: true });
  });
}
