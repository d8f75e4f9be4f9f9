import { assertPermission, type Caller, siteOfScope, type TenantRoles } from "@/lib/access/caller";
import { readRoleChanges } from "@/lib/features/audit/entries-about";
import {
  countedSince,
  isAttributedSince,
  type LastCall,
  lastCalls,
} from "@/lib/features/metrics/metadata";
import { expand, type Permission, permissions } from "@/lib/protocol/permissions";
import type { LastUse, LastUseQuery } from "./access-contract";
import { findSubject } from "./explain";
import { operations } from "./operations";

const dayMs = 86_400_000;
const lookedBackDays = 90;
/** The maximum number of audit entries per user that are searched for granted roles. */
const maxEntries = 200;

/** The permission of each operation, by the operation's name in the metrics. */
const permissionOf: ReadonlyMap<string, Permission> = new Map(
  operations.flatMap(({ operation, permission }) =>
    permission === undefined || permission === "any-role" ? [] : [[operation, permission]],
  ),
);
const counted: ReadonlySet<string> = new Set(permissionOf.values());
const uncounted = permissions.filter((permission) => !counted.has(permission));

/** The newest call of each permission at each site. */
function usesOf(calls: readonly LastCall[]): LastUse["uses"] {
  const newest = new Map<string, LastUse["uses"][number]>();
  for (const { endpoint, site, at } of calls) {
    const permission = permissionOf.get(endpoint.replace(/^HEAD /, "GET "));
    if (permission === undefined) continue;
    const key = `${permission} ${site}`;
    const lastUsedAt = at.toISOString();
    const known = newest.get(key);
    if (known && known.lastUsedAt >= lastUsedAt) continue;
    const includedIn = permissions.filter((one) => expand([one]).has(permission));
    newest.set(key, { permission, site: site === "" ? null : site, lastUsedAt, includedIn });
  }
  return [...newest.values()];
}

const rolesByPlace = ({ roleIds, sites }: TenantRoles) => [
  ...roleIds.map((role) => ({ role, site: null })),
  ...Object.entries(sites).flatMap(([site, at]) => at.roleIds.map((role) => ({ role, site }))),
];

const noRoles: TenantRoles = { roleIds: [], sites: {} };

/** The roles granted to each user since then according to the audit trail, and the time from which it was searched. */
async function grantsSince(tenantId: string, userIds: readonly string[], from: Date) {
  const found = await readRoleChanges(tenantId, { userIds, from, limit: maxEntries });
  return new Map(
    found.map(({ id, looked, oldest, changes }) => {
      const grants = changes.flatMap(({ at, roles }) => {
        const { before = noRoles, after = noRoles } = (roles ?? {}) as Record<string, TenantRoles>;
        const had = rolesByPlace(before).map(({ role, site }) => `${role} ${site}`);
        return rolesByPlace(after)
          .filter(({ role, site }) => !had.includes(`${role} ${site}`))
          .map((one) => ({ ...one, at: new Date(at).toISOString() }));
      });
      return [id, { grants, lookedBackTo: looked < maxEntries ? from : later(from, oldest) }];
    }),
  );
}

const later = (a: Date, b: Date) => (a > b ? a : b);

/** The subject of the query: an API key's grants are those of its owner. */
interface Asked {
  userIds: readonly string[];
  apiKeyId?: string | undefined;
}

/** The last use of each permission by each of the users, or by one API key, by user. The number of reads is constant. */
async function lastUses(caller: Caller, { userIds, apiKeyId }: Asked) {
  const { tenantId } = caller;
  const from = new Date(Date.now() - lookedBackDays * dayMs);
  const [calls, first, isComplete, trail] = await Promise.all([
    lastCalls(tenantId, apiKeyId === undefined ? { userIds } : { apiKeyId }),
    countedSince({ tenantId }),
    isAttributedSince(tenantId, from),
    grantsSince(tenantId, userIds, from),
  ]);
  const answerFor = (userId: string): LastUse => {
    const site = userId === caller.userId ? undefined : siteOfScope(caller, "user.read");
    const isSeen = (at: { site: string | null }) => site === undefined || at.site === site;
    const { grants = [], lookedBackTo = from } = trail.get(userId) ?? {};
    const since = first === null ? null : later(later(from, lookedBackTo), new Date(first));
    return {
      from: from.toISOString(),
      since: since?.toISOString() ?? null,
      isComplete,
      uses: usesOf(calls.filter(({ id }) => id === (apiKeyId ?? userId))).filter(isSeen),
      uncounted,
      grants: grants.filter(isSeen),
    };
  };
  return new Map(userIds.map((userId) => [userId, answerFor(userId)]));
}

/** The last use of each permission by a user or an API key. Throws 403 and 404. */
export async function findLastUse(caller: Caller, query: LastUseQuery): Promise<LastUse> {
  const { principal } = await findSubject(caller, { ...query, site: caller.siteId });
  const { userId } = principal;
  const found = (await lastUses(caller, { userIds: [userId], apiKeyId: query.apiKeyId })).get(
    userId,
  );
  if (!found) throw new Error("A user who was asked about has no answer.");
  return found;
}

/** Like `findLastUse`, for users whom the caller has just been shown. Throws 403. */
export async function findLastUses(
  caller: Caller,
  userIds: readonly string[],
): Promise<Record<string, LastUse>> {
  assertPermission(caller, "user.read");
  return Object.fromEntries(await lastUses(caller, { userIds }));
}
