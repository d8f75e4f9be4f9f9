import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { roleMeanings } from "@/lib/access/role-meanings";
import { permissionsOf, roleIds, roles } from "@/lib/access/roles";
import { read, type Transaction } from "@/lib/database/open";
import { ApiError } from "@/lib/protocol/errors";
import type { Role, User } from "./contract";
import { findUser, findVisibleUser } from "./list";

const notFound = () => new ApiError("user.not-found", "There is no such user in this tenant.");

/** The caller's own user, with all its roles in this tenant. */
export async function getOwnProfile(caller: Caller): Promise<User> {
  const user = await findUser(caller, caller.userId);
  if (!user) throw notFound();
  return user;
}

interface DetailsRow {
  kind: "person" | "service";
  lockReason: string | null;
  lockedUntil: Date | null;
  erasedAt: Date | null;
}

const details = `select u.kind, u.lock_reason as "lockReason", u.locked_until as "lockedUntil", u.erased_at as "erasedAt" from users u where u.tenant_id = $1 and u.user_id = $2`;

/** A user of the tenant, with the reason and end of a lock. Throws 404, also for a user the caller may not see. */
export async function getUser(caller: Caller, userId: string, within?: Transaction): Promise<User> {
  const user = await findVisibleUser(caller, userId, within);
  const [row] = user
    ? await read<DetailsRow>("user-details", details, [caller.tenantId, userId], within)
    : [];
  if (!user || !row) throw notFound();
  const lock = user.lock
    ? { lockReason: row.lockReason, lockedUntil: row.lockedUntil?.toISOString() ?? null }
    : {};
  const erased = row.erasedAt ? { erasedAt: row.erasedAt.toISOString() } : {};
  return { ...user, kind: row.kind, ...lock, ...erased };
}

/** The roles of the product: the same in every tenant. */
export function listRoles(): z.input<typeof Role>[] {
  return roleIds.map((id) => {
    const entry: { name: string; group: string; reserved?: boolean } = roles[id];
    return {
      id,
      name: entry.name,
      group: entry.group,
      meaning: roleMeanings[id],
      permissions: [...permissionsOf(id)].sort(),
      reserved: entry.reserved === true,
    };
  });
}
