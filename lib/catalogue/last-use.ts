import { type Caller, siteOfScope, type TenantRoles } from "@/lib/access/caller";
import { readEntriesAbout } from "@/lib/features/audit/entries-about";
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
/** How many entries about a user are looked through for roles that were granted. */
const maxEntries = 200;

/** The permission that each operation needs, by its name in the metrics. */
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

/** The roles that the trail says were granted since, and since when the trail was looked through. */
async function grantsSince(tenantId: string, userId: string, from: Date) {
  const found = await readEntriesAbout({ tenantId, targetIds: [userId], limit: maxEntries });
  const recent = found.entries.filter(({ occurredAt }) => new Date(occurredAt) >= from);
  const grants: LastUse["grants"] = [];
  for (const { action, changes, occurredAt: at } of recent) {
    if (action !== "user.roles-changed") continue;
    const { before = noRoles, after = noRoles } = (changes.roles ?? {}) as Record<
      string,
      TenantRoles
    >;
    const had = rolesByPlace(before);
    for (const one of rolesByPlace(after))
      if (!had.some(({ role, site }) => role === one.role && site === one.site))
        grants.push({ ...one, at });
  }
  const isWhole = recent.length < found.entries.length || found.before === undefined;
  const oldest = recent.at(-1)?.occurredAt;
  return { grants, lookedBackTo: isWhole || oldest === undefined ? from : new Date(oldest) };
}

const later = (a: Date, b: Date) => (a > b ? a : b);

/** When a user or an API key used each permission last. Throws 403 and 404. */
export async function findLastUse(caller: Caller, query: LastUseQuery): Promise<LastUse> {
  const { tenantId, siteId } = caller;
  const { principal } = await findSubject(caller, { ...query, site: siteId });
  const { userId } = principal;
  const from = new Date(Date.now() - lookedBackDays * dayMs);
  const of = query.apiKeyId === undefined ? { userId } : { apiKeyId: query.apiKeyId };
  const [calls, first, isComplete, trail] = await Promise.all([
    lastCalls(tenantId, of),
    countedSince(tenantId),
    isAttributedSince(tenantId, from),
    grantsSince(tenantId, userId, from),
  ]);
  const site = userId === caller.userId ? undefined : siteOfScope(caller, "user.read");
  const isSeen = (at: { site: string | null }) => site === undefined || at.site === site;
  const since = first === null ? null : later(later(from, trail.lookedBackTo), new Date(first));
  return {
    from: from.toISOString(),
    since: since?.toISOString() ?? null,
    isComplete,
    uses: usesOf(calls).filter(isSeen),
    uncounted,
    grants: trail.grants.filter(isSeen),
  };
}
