import type { z } from "zod";
import { withAccessChange } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { parseGrants } from "@/lib/access/credential-store";
import { isAdministrator } from "@/lib/access/sign-in-rules";
import { policyNow, policyOf } from "@/lib/access/sites";
import { db, type Executor, read, type Transaction } from "@/lib/database/open";
import { type Acting, actingAs, record } from "@/lib/features/audit/service";
import { ApiError } from "@/lib/protocol/errors";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import { publicUrl } from "@/lib/protocol/settings";
import type {
  listWithoutSecondFactor as declared,
  EmergencyAdministrator,
  WithoutSecondFactor,
} from "./emergency-contract";
import {
  deleteEmergencyAdministrator,
  type EmergencyAdministratorRow,
  insertEmergencyAdministrator,
  isNamedForEmergencies,
  isReady,
  noteEmergencyUse,
  selectAdministratorIds,
  selectEmergencyAdministrators,
} from "./emergency-rows";
import { auditTarget, findTarget, type Target } from "./find-target";
import { findRoles, keepRolesByHand } from "./role-rows";
import { findUserRow, type UserKey } from "./rows";
import { maxEmergencyAdministrators } from "./values";

interface Row {
  id: string;
  login: string;
  loginKey: string;
  name: string;
  grants: string;
  lastLoginAt: Date | null;
}

const statement = `select u.user_id as id, u.login, u.login_key as "loginKey", u.name, u.grants, u.last_login_at as "lastLoginAt"
  from users u where u.tenant_id = $1 and u.home_tenant_id = $1 and u.kind = 'person' and u.state = 'active' and u.erased_at is null
  and not exists (select 1 from second_factors f where f.tenant_id = $1 and f.user_id = u.user_id and f.confirmed_at is not null)
  and u.login_key > $2 order by u.login_key limit $3`;

/** The users of the tenant who sign in without a second factor, by login. Excludes guests, whose factors are in their home tenant. */
export async function listWithoutSecondFactor(
  { tenantId }: Caller,
  { limit, cursor }: z.output<NonNullable<typeof declared.query>>,
): Promise<Page<WithoutSecondFactor>> {
  const [after = ""] = readCursor(cursor, 1) ?? [];
  const rows = await read<Row>("without-second-factor", statement, [tenantId, after, limit + 1]);
  const page = cutPage(rows, limit, ({ loginKey }) => [loginKey]);
  const items = page.items.map(({ id, login, name, grants, lastLoginAt }) => ({
    ...{ id, login, name },
    isAdministrator: isAdministrator(parseGrants(grants)),
    ...(lastLoginAt && { lastLoginAt: lastLoginAt.toISOString() }),
  }));
  return { ...page, items };
}

/*
 * Users who may always sign in with password and second factor, so that a failing identity provider does not lock out a tenant. While
 * the policy accepts only their passwords, the last of them who can sign in must remain.
 */

function toAnswer(row: EmergencyAdministratorRow): EmergencyAdministrator {
  const { userId: id, login, name, hasSecondFactor, createdAt, lastUsedAt } = row;
  return {
    ...{ id, login, name, isReady: isReady(row, new Date()), hasSecondFactor },
    createdAt: createdAt.toISOString(),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
  };
}

export const listEmergencyAdministrators = async ({ tenantId }: Caller) =>
  (await selectEmergencyAdministrators(db(), tenantId)).map(toAnswer);

/** Whether the user is exempt from the tenant's policies for passwords, groups and provisioning: named as one, and tenant.admin. */
export async function isEmergencyAdministrator(on: Executor, key: UserKey): Promise<boolean> {
  if (!(await isNamedForEmergencies(on, key))) return false;
  return (await findRoles(on, key)).roleIds.includes("tenant.admin");
}

function assertSuitable({ tenantId }: Caller, target: Target): void {
  const { kind, homeTenantId, isSystem, erasedAt, roles } = target;
  const isOwn = kind === "person" && homeTenantId === tenantId && !isSystem && !erasedAt;
  if (isOwn && roles.roleIds.includes("tenant.admin")) return;
  throw new ApiError(
    "emergency-administrator.unsuitable",
    "Only a person of this tenant who is its tenant.admin can be an emergency administrator.",
    "tenant.admin",
  );
}

const recordChange = (
  tx: Transaction,
  caller: Caller,
  action: `user.${string}`,
  target: Pick<Target, "userId" | "login">,
) => record(tx, actingAs(caller), { action, target: auditTarget(target) });

/** Adds a user. Adding the same user again changes nothing. Throws 404 and 409. */
export async function addEmergencyAdministrator(caller: Caller, userId: string): Promise<void> {
  const { tenantId } = caller;
  await withAccessChange(caller, async (tx) => {
    const target = await findTarget(tx, caller, userId, "tenant.manage");
    assertSuitable(caller, target);
    const named = await selectEmergencyAdministrators(tx, tenantId);
    if (named.some((one) => one.userId === userId)) return;
    if (named.length >= maxEmergencyAdministrators)
      throw new ApiError(
        "emergency-administrator.limit-reached",
        `A tenant has at most ${maxEmergencyAdministrators} emergency administrators. Remove one first.`,
        String(maxEmergencyAdministrators),
      );
    await insertEmergencyAdministrator(tx, { tenantId, userId });
    // From now on no group grants or removes roles.
    await keepRolesByHand(tx, { tenantId, userId });
    await recordChange(tx, caller, "user.emergency-administrator-added", target);
  });
}

/** Throws 404, and 409 for the last one who can sign in while only they may. */
export async function removeEmergencyAdministrator(caller: Caller, userId: string): Promise<void> {
  const key = { tenantId: caller.tenantId, userId };
  await withAccessChange(caller, async (tx) => {
    await assertEmergencyAdministratorStays(tx, key);
    const user = await findUserRow(tx, key);
    if (!user || !(await deleteEmergencyAdministrator(tx, key)))
      throw new ApiError(
        "emergency-administrator.not-found",
        "This user is no emergency administrator.",
      );
    await recordChange(tx, caller, "user.emergency-administrator-removed", user);
  });
}

/**
 * Throws 409 if the policy accepts only passwords of emergency administrators, and this is the last one who can sign in. Call it
 * in a transaction that has locked the tenant's row, before the change that would lock the user out.
 */
export async function assertEmergencyAdministratorStays(
  tx: Executor,
  { tenantId, userId }: UserKey,
): Promise<void> {
  if ((await policyNow(tx, tenantId)).passwordSignIn !== "emergency-only") return;
  const now = new Date();
  const ready = (await selectEmergencyAdministrators(tx, tenantId)).filter((one) =>
    isReady(one, now),
  );
  if (ready.length !== 1 || ready[0]?.userId !== userId) return;
  throw new ApiError(
    "emergency-administrator.last",
    "This is the last emergency administrator who can sign in. Set up another one first, or let everybody sign in with a password again.",
    userId,
  );
}

/** Whether one of them can sign in with password and second factor now. */
export async function isAnyEmergencyAdministratorReady(
  on: Executor,
  tenantId: string,
): Promise<boolean> {
  const now = new Date();
  return (await selectEmergencyAdministrators(on, tenantId)).some((one) => isReady(one, now));
}

/** Whether the tenant accepts the user's password. */
export async function isPasswordAccepted(key: UserKey): Promise<boolean> {
  const { passwordSignIn } = await policyOf(key.tenantId);
  return passwordSignIn !== "emergency-only" || isEmergencyAdministrator(db(), key);
}

/** The sign-in URL of a tenant. */
export const signInAddress = (tenantId: string) => `${publicUrl()}/sign-in?tenant=${tenantId}`;

export const passwordNotAccepted = (tenantId: string) =>
  new ApiError(
    "auth.password-not-accepted",
    "The people of this tenant sign in at its identity provider, not with a password.",
    signInAddress(tenantId),
  );

/** Records a sign-in that only an exception of the policy allowed, and notifies every administrator. */
export async function recordEmergencySignIn(tx: Transaction, acting: Acting): Promise<void> {
  const { tenantId, actor } = acting;
  await noteEmergencyUse(tx, { tenantId, userId: actor.id });
  await record(tx, acting, {
    action: "tenant.emergency-sign-in",
    target: { type: "tenant", id: tenantId },
    mailTo: await selectAdministratorIds(tx, tenantId),
  });
}
