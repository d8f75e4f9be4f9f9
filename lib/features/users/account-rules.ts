import type { Caller, TenantRoles } from "@/lib/access/caller";
import { hasUsableKey } from "@/lib/access/key-descriptions";
import type { Executor } from "@/lib/database/open";
import { ApiError } from "@/lib/protocol/errors";
import { assertEmergencyAdministratorStays } from "./emergency-administrators";
import type { Target } from "./find-target";
import { assertNotLastAdmin, assertNotNeededElsewhere } from "./last-admin";
import { hasOtherMemberships, otherTenantsOf } from "./membership-rows";
import {
  addedRoles,
  assertGrantable,
  assertVisibleToManager,
  forbidSelfPromotion,
  isDemotion,
  noRoles,
  rolesOfPlaces,
} from "./role-policy";
import {
  assertHoldsPermissionsOf,
  assertHomeTenant,
  assertWithinScope,
  callerHolds,
  forbidSelf,
  forbidSelfAndSystem,
} from "./user-policy";

/*
 * The rules that `accountWays` combines: each throws 403 or 409 unless the caller may.
 */

/** A request to change an account: caller, target and change. */
export interface AccountRequest {
  tx: Executor;
  caller: Caller;
  /** The owner of the account: for a key its owner, in a handover the new one. */
  target: Pick<Target, "userId" | "homeTenantId" | "kind" | "isSystem" | "roles">;
  /** The roles after the change, if roles are changed. */
  after?: TenantRoles;
}

export type Rule = (request: AccountRequest) => void | Promise<void>;

export const holdsEveryPermission: Rule = ({ caller, target }) =>
  assertHoldsPermissionsOf(caller, target.roles);

/** Requires a session, because a stolen key of an automation could otherwise create access as a user. */
export const bySession: Rule = ({ caller }) => {
  if (caller.kind === "session") return;
  throw new ApiError(
    "user.session-only",
    "An API key cannot change an e-mail address: links to reset the password are mailed to it. Use a session.",
    "/emailAddress",
  );
};

export const atHome: Rule = ({ caller, target }) => assertHomeTenant(caller, target);

export const forOthers =
  (...rules: Rule[]): Rule =>
  async (request) => {
    if (request.target.userId === request.caller.userId) return;
    for (const rule of rules) await rule(request);
  };

export const notOneself =
  (what: string): Rule =>
  ({ caller, target }) =>
    forbidSelf(caller, target, what);

export const neitherSelfNorSystem =
  (what: string): Rule =>
  ({ caller, target }) =>
    forbidSelfAndSystem(caller, target, what);

export const withinScope =
  (permission: "user.manage" | "session.manage"): Rule =>
  ({ caller, target }) =>
    assertWithinScope(caller, target, permission);

/** A user's rights in other tenants are not known here, so only an administrator may give or take access to them. */
export const adminForMembers =
  (detail: string): Rule =>
  async ({ tx, caller, target: { userId } }) => {
    if (callerHolds(caller, "tenant.admin", "")) return;
    if (!(await hasOtherMemberships(tx, { tenantId: caller.tenantId, userId }))) return;
    throw new ApiError("user.admin-only", detail, "tenant.admin");
  };

export const adminStays: Rule = ({ tx, caller, target }) =>
  assertNotLastAdmin(tx, caller.tenantId, target);

/** While only emergency administrators sign in with a password, the last of them must not be changed. */
export const emergencyStays: Rule = ({ tx, caller: { tenantId }, target: { userId } }) =>
  assertEmergencyAdministratorStays(tx, { tenantId, userId });

/** A user who is locked, deactivated or erased in the home tenant cannot sign in anywhere. */
export const adminStaysElsewhere: Rule = async ({ caller, target: { userId, homeTenantId } }) => {
  if (homeTenantId !== caller.tenantId) return;
  await assertNotNeededElsewhere(await otherTenantsOf({ homeTenantId, userId }), userId);
};

export const ofServiceUser: Rule = ({ target }) => {
  if (target.kind === "service") return;
  throw new ApiError(
    "user.not-service",
    "Only its owner gets to know the secret of a person's key: people create their own keys.",
  );
};

export const grantable: Rule = ({ caller, target, after = target.roles }) =>
  assertGrantable(caller, target.roles, after);

export const visible: Rule = ({ caller, after = noRoles }) => assertVisibleToManager(caller, after);

/** The rules for an invitation of the user now, with the current roles. */
export const grantableAnew: Rule = ({ caller, target }) =>
  assertGrantable(caller, noRoles, target.roles);

export const notToOneself: Rule = ({ caller, target, after = target.roles }) =>
  forbidSelfPromotion(caller, target, after);

/**
 * Throws 403 if the change gives a service user permissions that the caller lacks while it has a usable key: managers create such
 * keys, so the caller may know the secret and would gain these permissions.
 */
export const notToKnownKeys: Rule = async ({ tx, caller, target, after = target.roles }) => {
  const { kind, userId } = target;
  if (kind !== "service" || !(await hasUsableKey(tx, caller.tenantId, userId))) return;
  assertHoldsPermissionsOf(caller, rolesOfPlaces(addedRoles(target.roles, after)));
};

export const demotesOthers: Rule = ({ caller, target, after = target.roles }) => {
  if (isDemotion(target.roles, after)) forbidSelfAndSystem(caller, target, "take roles from");
};

export const adminStaysWithRoles: Rule = async (request) => {
  const { target, after = target.roles } = request;
  if (after.roleIds.includes("tenant.admin")) return;
  await emergencyStays(request);
  await adminStays(request);
};
