import { and, eq, ne, sql } from "drizzle-orm";
import { isLockedAt } from "@/lib/access/locks";
import { db, type Executor, read } from "@/lib/database/open";
import { roleAssignments, users } from "@/lib/database/schema/schema";
import { ApiError } from "@/lib/protocol/errors";
import type { Target } from "./find-target";
import { isForGoodCondition } from "./role-rows";

const adminRole = "tenant.admin";
const wholeTenant = "";

/** The columns that decide whether a user can sign in: of the tenant's row, and for a guest also of the home row. */
interface SignInFacts {
  userId: string;
  homeTenantId: string;
  kind: "person" | "service";
  state: "active" | "invited" | "deactivated";
  isLocked: boolean;
  lockedUntil: Date | null;
  hasPassword: boolean;
  passwordExpiresAt: Date | null;
}

const facts = {
  userId: users.userId,
  homeTenantId: users.homeTenantId,
  kind: users.kind,
  state: users.state,
  isLocked: users.isLocked,
  lockedUntil: users.lockedUntil,
  hasPassword: sql<boolean>`${users.passwordHash} is not null`,
  passwordExpiresAt: users.passwordExpiresAt,
};

/** All users with the role in the whole tenant and without an expiry: others do not remain administrators. */
const adminsOf = (on: Executor, tenantId: string): Promise<SignInFacts[]> =>
  on
    .select(facts)
    .from(roleAssignments)
    .innerJoin(users, and(eq(users.tenantId, tenantId), eq(users.userId, roleAssignments.userId)))
    .where(
      and(
        eq(roleAssignments.tenantId, tenantId),
        eq(roleAssignments.siteId, wholeTenant),
        eq(roleAssignments.roleId, adminRole),
        isForGoodCondition(),
      ),
    );

const homeRow = `select u.user_id as "userId", u.home_tenant_id as "homeTenantId", u.kind, u.state, u.is_locked as "isLocked",
  u.locked_until as "lockedUntil", u.password_hash is not null as "hasPassword", u.password_expires_at as "passwordExpiresAt"
  from users u where u.tenant_id = $1 and u.user_id = $2`;

/** Read outside of any transaction, because a transaction covers only one tenant. */
const homeOf = async ({ homeTenantId, userId }: SignInFacts): Promise<SignInFacts | undefined> =>
  (await read<SignInFacts>("home-of-admin", homeRow, [homeTenantId, userId]))[0];

/** A service user cannot sign in, and neither can a user without a working password. */
function isAbleAtHome(row: SignInFacts | undefined, now: Date): boolean {
  if (row?.kind !== "person" || row.state !== "active" || !row.hasPassword) return false;
  const isExpired = row.passwordExpiresAt !== null && row.passwordExpiresAt <= now;
  return !isExpired && !isLockedAt(row, now);
}

/** Whether the administrator can sign in to the tenant now. Password and state of a guest are those of the home tenant. */
async function canSignIn(tenantId: string, admin: SignInFacts, now: Date): Promise<boolean> {
  if (admin.homeTenantId === tenantId) return isAbleAtHome(admin, now);
  if (isLockedAt(admin, now)) return false;
  return isAbleAtHome(await homeOf(admin), now);
}

/** Whether any of them can sign in; guests are checked last, because each needs a separate statement. */
async function isAnyAble(tenantId: string, admins: SignInFacts[]): Promise<boolean> {
  const now = new Date();
  const isGuest = ({ homeTenantId }: SignInFacts) => Number(homeTenantId !== tenantId);
  for (const admin of admins.toSorted((a, b) => isGuest(a) - isGuest(b)))
    if (await canSignIn(tenantId, admin, now)) return true;
  return false;
}

const lastAdmin = () =>
  new ApiError(
    "user.last-admin",
    "This is the tenant's last administrator who can sign in. Make another person tenant.admin first.",
    adminRole,
  );

/**
 * Throws 409 if only the target can sign in as tenant.admin. Call it in a transaction that has locked the tenant's row: then two
 * changes cannot each rely on the other administrator.
 */
export async function assertNotLastAdmin(
  tx: Executor,
  tenantId: string,
  { userId, roles }: Pick<Target, "userId" | "roles">,
): Promise<void> {
  if (!roles.roleIds.includes(adminRole)) return;
  const admins = await adminsOf(tx, tenantId);
  const target = admins.filter((one) => one.userId === userId);
  if (!(await isAnyAble(tenantId, target))) return;
  const others = admins.filter((one) => one.userId !== userId);
  if (await isAnyAble(tenantId, others)) return;
  throw lastAdmin();
}

/**
 * The same for a change that no administrator here requested: another active tenant.admin must remain too, with any sign-in method.
 */
export async function assertAdminStays(
  tx: Executor,
  tenantId: string,
  target: Pick<Target, "userId" | "roles">,
): Promise<void> {
  await assertNotLastAdmin(tx, tenantId, target);
  const now = new Date();
  const isActive = (one: SignInFacts) =>
    one.kind === "person" && one.state === "active" && !isLockedAt(one, now);
  const others = (await adminsOf(tx, tenantId)).filter(({ userId }) => userId !== target.userId);
  if (!others.some(isActive)) throw lastAdmin();
}

/**
 * Whether the user is the only administrator of other active users, independent of the user's state in the home tenant: a
 * tenant without other users needs none.
 */
export async function isNeededAdmin(
  on: Executor,
  tenantId: string,
  userId: string,
): Promise<boolean> {
  const admins = await adminsOf(on, tenantId);
  const person = admins.find((one) => one.userId === userId);
  if (!person || isLockedAt(person, new Date())) return false;
  const others = admins.filter((one) => one.userId !== userId);
  if (await isAnyAble(tenantId, others)) return false;
  const isOther = [ne(users.userId, userId), eq(users.state, "active"), eq(users.isSystem, false)];
  const left = await on
    .select({ userId: users.userId })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), ...isOther))
    .limit(1);
  return left.length > 0;
}

/**
 * Throws 409 if the user is the only administrator of one of these tenants. Another tenant's row is not locked, so a concurrent
 * change there is not seen.
 */
export async function assertNotNeededElsewhere(
  tenantIds: readonly string[],
  userId: string,
): Promise<void> {
  for (const tenantId of tenantIds)
    if (await isNeededAdmin(db(), tenantId, userId)) throw neededElsewhere();
}

export const neededElsewhere = () =>
  new ApiError(
    "user.last-admin",
    "This person is the last administrator of another tenant, which others use: somebody else must become tenant.admin there first.",
    adminRole,
  );
