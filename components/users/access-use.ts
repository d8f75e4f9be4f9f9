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

/** What is known of the use of a role at a place. */
export type RoleUse =
  | { kind: "used"; at: string }
  /** Nothing was counted since then. */
  | { kind: "none"; since: string }
  | { kind: "granted"; at: string }
  /** It gives no permission, other services answer what it permits, or nothing was counted yet. */
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

/** When the user was given the role there, where that is within the time that is looked at. */
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

/** Whether it is known that nothing the role permits was called in all the time that is looked at. */
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

/** The roles that the user has, would keep by what is ticked, and did not use. */
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
