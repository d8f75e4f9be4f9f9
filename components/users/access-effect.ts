import { t, translated } from "@/components/texts/t";
import {
  type AccessEdit,
  cellOf,
  holdsAt,
  openWishes,
  type RoleFacts,
  rolesAt,
  type Wishes,
  wholeTenant,
  withWishes,
} from "./access-changes";
import type { TenantRoles } from "./role-list";

/** The role with all permissions. */
export const adminRole = "tenant.admin";

/**
 * The source of a role's rights at a place: granted there, inherited from the whole tenant, or
 * covered by another role that includes all of them. `by` names that role.
 */
export type Effect =
  | { kind: "granted" }
  | { kind: "inherited" }
  | { kind: "covered"; by: string }
  | { kind: "none" };

const none: Effect = { kind: "none" };

/** The role at the place or in the whole tenant that includes every permission of this one; the administrator's first. */
function coveringRole(
  held: readonly string[],
  role: RoleFacts,
  facts: readonly RoleFacts[],
): string | undefined {
  if (role.permissions.length === 0) return held.find((id) => id !== role.id);
  const gives = (id: string) => {
    const other = facts.find((one) => one.id === id);
    return other !== undefined && role.permissions.every((one) => other.permissions.includes(one));
  };
  const others = held.filter((id) => id !== role.id);
  return others.includes(adminRole) ? adminRole : others.find(gives);
}

/** The effect of a role at a place for a user with these roles. */
export function effectAt(
  roles: TenantRoles,
  place: string,
  role: RoleFacts,
  facts: readonly RoleFacts[],
): Effect {
  if (holdsAt(roles, place, role.id)) return { kind: "granted" };
  if (place !== wholeTenant && holdsAt(roles, wholeTenant, role.id)) return { kind: "inherited" };
  const held = [...new Set([...rolesAt(roles, wholeTenant), ...rolesAt(roles, place)])];
  const by = coveringRole(held, role, facts);
  return by === undefined ? none : { kind: "covered", by };
}

/** The display name of a role; its id when the role is unknown. */
export const roleName = (id: string, facts: readonly RoleFacts[]): string =>
  translated(facts.find((one) => one.id === id)?.name ?? id);

/** One line with the sources of a role's permissions after the wishes: "Whole tenant: granted", "EU Store: by Tenant Administrator". */
export function effectiveLine(
  roles: TenantRoles,
  sites: readonly { id: string; name: string }[],
  role: RoleFacts,
  facts: readonly RoleFacts[],
): string | undefined {
  const inTenant = effectAt(roles, wholeTenant, role, facts);
  if (inTenant.kind === "granted") return t("Whole tenant: granted");
  if (inTenant.kind === "covered")
    return t("Whole tenant: by {by}", { by: roleName(inTenant.by, facts) });
  const there = sites.flatMap(({ id, name: site }) => {
    const effect = effectAt(roles, id, role, facts);
    if (effect.kind === "granted") return [t("{site}: granted", { site })];
    return effect.kind === "covered"
      ? [t("{site}: by {by}", { site, by: roleName(effect.by, facts) })]
      : [];
  });
  return there.length > 0 ? there.join(", ") : undefined;
}

/** Roles whose name, id, meaning or permissions contain every word, and with `isGrantedOnly` those that are granted or ticked. */
export function matchingRoles(
  { base, wishes, facts }: Pick<AccessEdit, "base" | "wishes" | "facts">,
  { search, isGrantedOnly }: { search: string; isGrantedOnly: boolean },
): RoleFacts[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const after = withWishes(base, wishes);
  const changed = new Set(openWishes(base, wishes).map(({ roleId }) => roleId));
  const granted = new Set([
    ...after.roleIds,
    ...Object.values(after.sites).flatMap(({ roleIds }) => roleIds),
  ]);
  return facts.filter((role) => {
    const { id, name, meaning, permissions } = role;
    const text = [name, translated(name), id, meaning, translated(meaning), ...permissions].join(
      " ",
    );
    const isFound = words.every((word) => text.toLowerCase().includes(word));
    return isFound && (!isGrantedOnly || granted.has(role.id) || changed.has(role.id));
  });
}

/** The wishes that copy another user's roles; cells that may not be changed are skipped and counted. */
export function wishesToMatch(
  base: TenantRoles,
  other: TenantRoles,
  {
    places,
    facts,
    mayChange,
  }: {
    places: readonly string[];
    facts: readonly RoleFacts[];
    mayChange: (place: string, roleId: string) => boolean;
  },
): { wishes: Wishes; skipped: number } {
  const cells = places.flatMap((place) => facts.map(({ id }) => ({ place, id })));
  const different = cells.filter(
    ({ place, id }) => holdsAt(base, place, id) !== holdsAt(other, place, id),
  );
  const allowed = different.filter(({ place, id }) => mayChange(place, id));
  const wishes = Object.fromEntries(
    allowed.map(({ place, id }) => [cellOf(place, id), holdsAt(other, place, id)]),
  );
  return { wishes, skipped: different.length - allowed.length };
}
