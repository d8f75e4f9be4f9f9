import type { TenantRoles } from "@/lib/access/caller";
import { newId } from "@/lib/database/ids";
import type { Transaction } from "@/lib/database/open";
import { type Acting, record } from "@/lib/features/audit/service";
import { queueConfirmation } from "@/lib/features/mail/queue";
import { assertQuota } from "@/lib/features/quotas/quotas";
import { ApiError } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { grantRoles } from "./role-assignments";
import { findPersonByLogin, insertUserRow, type NewUserRow } from "./rows";

/** The columns of a user in `users`; login, name and e-mail address are already trimmed and NFC. */
interface Person {
  login: string;
  name: string;
  emailAddress: string;
  roles: TenantRoles;
  lock?: { reason: string; until?: Date };
}

export interface NewUser extends Person {
  kind?: NewUserRow["kind"];
  state?: NewUserRow["state"];
  isSystem?: boolean;
  registeredAt?: Date;
  lastLoginAt?: Date;
  /** Without it the user cannot sign in by password. With `oneTimeUntil` it must be changed at the first sign-in, and expires then. */
  password?: { hash: string; oneTimeUntil?: Date };
}

export interface NewMember extends Person {
  userId: string;
  homeTenantId: string;
}

/** The text that the users list searches: must be updated whenever one of the three changes. */
export function searchTextOf({
  login,
  name,
  emailAddress,
}: Pick<Person, "login" | "name" | "emailAddress">): string {
  return `${login} ${name} ${emailAddress}`.normalize("NFC").toLowerCase();
}

function commonRow(tenantId: string, { login, name, emailAddress, lock }: Person) {
  return {
    tenantId,
    login,
    loginKey: labelKey(login),
    name,
    emailAddress,
    searchText: searchTextOf({ login, name, emailAddress }),
    usedEmail: "",
    confirmedEmail: "",
    isLocked: lock !== undefined,
    lockReason: lock?.reason ?? null,
    lockedUntil: lock?.until ?? null,
    mustChangePassword: false,
    preferences: {},
  } satisfies Partial<NewUserRow>;
}

async function insert(tx: Transaction, row: NewUserRow): Promise<void> {
  if (await insertUserRow(tx, row)) return;
  const { tenantId, login, loginKey } = row;
  const namesake = await findPersonByLogin(tenantId, loginKey, tx);
  const detail =
    namesake?.state === "invited"
      ? `The login "${login}" is invited already. POST /v1/user/${namesake.userId}/password-reset gives a new invitation.`
      : `There is already a user with the login "${login}".`;
  throw new ApiError("user.login-taken", detail, "/login");
}

/** Creates a user whose home tenant is the one that `acting` names, and returns the id. Throws 409 for a login in use. */
export async function createUser(tx: Transaction, acting: Acting, user: NewUser): Promise<string> {
  const { tenantId } = acting;
  const userId = newId("user");
  const { login, name, emailAddress, roles, password } = user;
  const state = user.state ?? "active";
  await insert(tx, {
    ...commonRow(tenantId, user),
    userId,
    homeTenantId: tenantId,
    kind: user.kind ?? "person",
    state,
    registeredAt: user.registeredAt ?? new Date(),
    isSystem: user.isSystem ?? false,
    passwordHash: password?.hash ?? null,
    mustChangePassword: password?.oneTimeUntil !== undefined,
    passwordExpiresAt: password?.oneTimeUntil ?? null,
    // The user who chose the password also entered the address.
    usedEmail: password && !password.oneTimeUntil ? emailAddress : "",
    lastLoginAt: user.lastLoginAt ?? null,
  });
  await grantRoles(tx, { tenantId, userId }, roles, "/roles");
  if (user.kind !== "service" && !user.isSystem)
    await queueConfirmation(tx, { tenantId, userId, emailAddress });
  const changes = {
    login: { after: login },
    name: { after: name },
    emailAddress: { after: emailAddress },
    state: { after: state },
  };
  const target = { type: "user", id: userId, name: login };
  await record(tx, acting, {
    action: "user.created",
    target,
    changes: { ...changes, roles: { after: roles } },
  });
  await assertQuota(tx, tenantId, "users");
  return userId;
}

/** Gives a user of another tenant a login and roles in the tenant that `acting` names. Throws 409 for a login in use. */
export async function createMember(
  tx: Transaction,
  acting: Acting,
  member: NewMember,
): Promise<void> {
  const { tenantId } = acting;
  const { userId, homeTenantId, login, roles } = member;
  await insert(tx, {
    ...commonRow(tenantId, member),
    userId,
    homeTenantId,
    kind: "person",
    state: "active",
    registeredAt: new Date(),
    isSystem: false,
    passwordHash: null,
  });
  await grantRoles(tx, { tenantId, userId }, roles, "/roles");
  const changes = {
    login: { after: login },
    tenant: { after: homeTenantId },
    roles: { after: roles },
  };
  await record(tx, acting, {
    action: "user.member-added",
    target: { type: "user", id: userId, name: login },
    changes,
  });
  await assertQuota(tx, tenantId, "users");
}
