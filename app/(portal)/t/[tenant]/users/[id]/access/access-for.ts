import { cardAnswer } from "@/app/(portal)/first-page";
import { userKeys } from "@/components/users/query-keys";
import type { Caller } from "@/lib/access/caller";
import { getLastUse } from "@/lib/catalogue/access-contract";
import { findLastUse } from "@/lib/catalogue/last-use";
import { listUserGroupRoles as groupContract } from "@/lib/features/connections/group-contract";
import { listUserGroupRoles } from "@/lib/features/connections/group-roles";
import { getUserRoles as rolesContract } from "@/lib/features/users/administration-contract";
import { getUserRoles } from "@/lib/features/users/roles";

/** The user whose roles are shown; `site` is set where the caller manages the users of one site. */
interface Shown {
  userId: string;
  site: string | undefined;
}

async function rolesOf(caller: Caller, userId: string) {
  const read = getUserRoles(caller, userId);
  const roles = await cardAnswer(
    rolesContract,
    read.then(({ value }) => value),
  );
  return roles === undefined ? undefined : { roles, etag: (await read).etag };
}

/** The initial data of the role editor: the roles, the groups that give them, and their last uses. */
export async function accessFor(caller: Caller, { userId, site }: Shown) {
  const { tenantId } = caller;
  const there = site === undefined ? caller : { ...caller, siteId: site };
  const [roles, groups, use] = await Promise.all([
    rolesOf(there, userId),
    cardAnswer(groupContract, listUserGroupRoles(there, userId)),
    cardAnswer(getLastUse, findLastUse(there, { userId })),
  ]);
  return [
    [userKeys.roles(tenantId, userId, site), roles],
    [userKeys.groupRoles(tenantId, userId, site), groups],
    [userKeys.lastUse(tenantId, userId, site), use],
  ] as const;
}
