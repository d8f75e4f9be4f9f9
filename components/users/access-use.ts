import type { LastUse } from "@/lib/catalogue/access-contract";
import {
  type AccessEdit,
  holdsAt,
  type RoleFacts,
  rolesAt,
  wholeTenant,
  withWishes,
} from "./access-changes";
import type { TenantRoles } from "./role-list";

/** The known use of a role at a place. */
export type RoleUse =
  | { kind: "used"; at: string }
  /** Nothing was counted since then. */
  | { kind: "none"; since: string }
  | { kind: "granted"; at: string }
  /** It has no permissions, other services check them, or nothing was counted yet. */
  | { kind: "base" | "uncounted" | "unknown" };

const siteOf = (place: string) => (place === wholeTenant ? null : place);

/** The newest call that the role permits at the place; calls at any site for a role of the whole tenant. */
function newestUse(use: LastUse, { permissions }: RoleFacts, place: string): string | undefined {
  return use.uses
    .filter(({ permission }) => permissions.includes(permission))
    .filter(({ site }) => place === wholeTenant || site === place)
    .map(({ lastUsedAt }) => lastUsedAt)
    .sort()
    .at(-1);
}

/** The time at which the role was granted there, if it is within the period. */
const grantedAt = ({ grants }: LastUse, role: RoleFacts, place: string) =>
  grants.find((one) => one.role === role.id && one.site === siteOf(place))?.at;

export function roleUse(use: LastUse, role: RoleFacts, place: string): RoleUse {
  if (role.permissions.length === 0) return { kind: "base" };
  const at = newestUse(use, role, place);
  if (at !== undefined && at >= use.from) return { kind: "used", at };
  const isCounted = ({ uncounted }: LastUse) =>
    role.permissions.some((one) => !uncounted.some((other) => other === one));
  if (!isCounted(use)) return { kind: "uncounted" };
  if (use.since === null || !use.isComplete) return { kind: "unknown" };
  const given = grantedAt(use, role, place);
  if (given !== undefined) return { kind: "granted", at: given };
  return at === undefined ? { kind: "none", since: use.since } : { kind: "used", at };
}

/** Whether certainly no permission of the role was used in the whole period. */
function isUnused(use: LastUse, role: RoleFacts, place: string, registeredAt: string): boolean {
  const found = roleUse(use, role, place);
  const isLongAgo = found.kind === "none" || (found.kind === "used" && found.at < use.from);
  const isWhole = use.since === use.from && use.isComplete && registeredAt < use.from;
  const isAllCounted = !role.permissions.some((one) =>
    use.uncounted.some((other) => other === one),
  );
  return isLongAgo && isWhole && isAllCounted;
}

export interface UnusedRole {
  role: RoleFacts;
  place: string;
}

const placesOf = (roles: TenantRoles) => [wholeTenant, ...Object.keys(roles.sites)];

/** The unused roles that the user has and would keep after saving. */
export function unusedRoles(
  { base, wishes, facts }: Omit<AccessEdit, "operations">,
  use: LastUse,
  registeredAt: string,
): UnusedRole[] {
  const after = withWishes(base, wishes);
  return placesOf(base).flatMap((place) =>
    rolesAt(base, place).flatMap((roleId) => {
      const role = facts.find(({ id }) => id === roleId);
      const isKept = holdsAt(after, place, roleId);
      return role && isKept && isUnused(use, role, place, registeredAt) ? [{ role, place }] : [];
    }),
  );
}
