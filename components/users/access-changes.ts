import { t, translated } from "@/components/texts/t";
import { dayAndTime } from "@/components/ui/instant-words";
import type { TenantRoles } from "./role-list";

/** A role as the editor needs it; `permissions` contains the included ones too. */
export interface RoleFacts {
  id: string;
  name: string;
  group: string;
  /** Its purpose, in a line. */
  meaning: string;
  permissions: string[];
  /** Its permissions are checked by the platform's other services. */
  reserved: boolean;
}

export interface OperationFacts {
  operation: string;
  permission: string;
}

/** The current or requested state of a cell: without the role, with it, or with it until an instant. */
export type Wish = boolean | string;

/** The cells that were ticked, unticked or given an end; cells that match the stored state are left out. */
export type Wishes = Record<string, Wish>;

export const wholeTenant = "";
export const cellOf = (place: string, roleId: string) => `${place} ${roleId}`;

export function rolesAt(roles: TenantRoles, place: string): string[] {
  if (place === wholeTenant) return roles.roleIds;
  // A site may be called "constructor".
  return (Object.hasOwn(roles.sites, place) && roles.sites[place]?.roleIds) || [];
}

export const holdsAt = (roles: TenantRoles, place: string, roleId: string) =>
  rolesAt(roles, place).includes(roleId);

/** The stored state of the cell. */
export function stateAt(roles: TenantRoles, place: string, roleId: string): Wish {
  if (!holdsAt(roles, place, roleId)) return false;
  const there = place === wholeTenant ? roles : roles.sites[place];
  return there?.expiresAt?.[roleId] ?? true;
}

const splitCell = (cell: string) => {
  const space = cell.indexOf(" ");
  return { place: cell.slice(0, space), roleId: cell.slice(space + 1) };
};

/** The wishes that still differ from the stored state. */
export function openWishes(
  base: TenantRoles,
  wishes: Wishes,
): { place: string; roleId: string; wanted: Wish }[] {
  return Object.entries(wishes)
    .map(([cell, wanted]) => ({ ...splitCell(cell), wanted }))
    .filter(({ place, roleId, wanted }) => stateAt(base, place, roleId) !== wanted);
}

/** Sets or removes the end of a role. Ends that the request leaves out are unchanged. */
function withEnd(result: TenantRoles, place: string, roleId: string, end: string | null): void {
  const there = place === wholeTenant ? result : result.sites[place];
  if (there) there.expiresAt = { ...there.expiresAt, [roleId]: end };
}

/** The roles after the requested changes. */
export function withWishes(base: TenantRoles, wishes: Wishes): TenantRoles {
  const result: TenantRoles = { roleIds: [...base.roleIds], sites: {} };
  for (const [site, { roleIds }] of Object.entries(base.sites))
    result.sites[site] = { roleIds: [...roleIds] };
  for (const { place, roleId, wanted } of openWishes(base, wishes)) {
    if (place !== wholeTenant && !Object.hasOwn(result.sites, place))
      result.sites[place] = { roleIds: [] };
    const ids = rolesAt(result, place);
    const isHeld = ids.includes(roleId);
    if (wanted === false) ids.splice(ids.indexOf(roleId), 1);
    else if (!isHeld) ids.push(roleId);
    if (typeof wanted === "string") withEnd(result, place, roleId, wanted);
    else if (wanted && isHeld) withEnd(result, place, roleId, null);
  }
  result.sites = Object.fromEntries(
    Object.entries(result.sites).filter(([, site]) => site.roleIds.length > 0),
  );
  return result;
}

/** Every permission of a user with these roles at a place: those of the whole tenant apply at each site. */
function permissionsAt(roles: TenantRoles, place: string, facts: RoleFacts[]): Set<string> {
  const ids = new Set([...roles.roleIds, ...rolesAt(roles, place)]);
  return new Set(facts.filter(({ id }) => ids.has(id)).flatMap(({ permissions }) => permissions));
}

/** One line of the difference, in plain words. */
export interface AccessChange {
  cell: string;
  sign: "+" | "−";
  role: string;
  /** "in the whole tenant", "at eu-store until 2 Dec 2026, 15:00". */
  where: string;
  effect: string;
}

const few = 3;

function listed(names: string[]): string {
  if (names.length <= few) return names.join(", ");
  return t("{names} and {count} more", {
    names: names.slice(0, few - 1).join(", "),
    count: names.length - few + 1,
  });
}

function effectOf(
  delta: string[],
  role: RoleFacts,
  { had, wanted }: { had: Wish; wanted: Wish },
  operations: OperationFacts[],
): string {
  if (had !== false && wanted === true) return t("no longer ends by itself");
  if (had !== false && typeof wanted === "string") return t("another end");
  if (delta.length === 0)
    return role.permissions.length === 0
      ? "sign-in and own account"
      : "no difference: other roles grant the same";
  const calls = operations
    .filter(({ permission }) => delta.includes(permission))
    .map(({ operation }) => operation);
  const what =
    calls.length > 0
      ? listed(calls)
      : t("{listed} in the platform's other services", { listed: listed(delta) });
  return wanted ? t("may now call {what}", { what }) : t("can no longer call {what}", { what });
}

/** Roles that are being edited. */
export interface AccessEdit {
  /** The stored roles. */
  base: TenantRoles;
  wishes: Wishes;
  facts: RoleFacts[];
  operations: OperationFacts[];
}

/** The changes on saving, and the operations that the user would gain or lose. */
export function accessChanges({ base, wishes, facts, operations }: AccessEdit): AccessChange[] {
  const after = withWishes(base, wishes);
  return openWishes(base, wishes).flatMap(({ place, roleId, wanted }) => {
    const role = facts.find(({ id }) => id === roleId);
    if (!role) return [];
    const [had, has] = [permissionsAt(base, place, facts), permissionsAt(after, place, facts)];
    const delta = role.permissions.filter((permission) =>
      wanted
        ? has.has(permission) && !had.has(permission)
        : had.has(permission) && !has.has(permission),
    );
    const at = place === wholeTenant ? t("in the whole tenant") : t("at {place}", { place });
    const where =
      typeof wanted === "string"
        ? t("{place} until {end}", { place: at, end: dayAndTime(new Date(wanted)) })
        : at;
    const state = { had: stateAt(base, place, roleId), wanted };
    return [
      {
        cell: cellOf(place, roleId),
        sign: wanted ? "+" : "−",
        role: translated(role.name),
        where,
        effect: effectOf(delta, role, state, operations),
      },
    ];
  });
}

interface UsedKey {
  name: string;
  lastUsedOperation: string | null;
}

/** Keys whose last call needed a permission that no role would grant any more. */
export function breakingKeys<Key extends UsedKey>(
  { base, wishes, facts, operations }: AccessEdit,
  keys: Key[],
): Key[] {
  const everywhere = (roles: TenantRoles) =>
    new Set(
      [wholeTenant, ...Object.keys(roles.sites)].flatMap((place) => [
        ...permissionsAt(roles, place, facts),
      ]),
    );
  const [had, has] = [everywhere(base), everywhere(withWishes(base, wishes))];
  return keys.filter((key) => {
    const permission = operations.find(
      ({ operation }) => operation === key.lastUsedOperation,
    )?.permission;
    return permission !== undefined && had.has(permission) && !has.has(permission);
  });
}
