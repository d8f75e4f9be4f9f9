import type { Caller } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { ApiError } from "@/lib/protocol/errors";
import {
  type AccountRequest,
  adminForMembers,
  adminStays,
  adminStaysElsewhere,
  adminStaysWithRoles,
  atHome,
  bySession,
  demotesOthers,
  emergencyStays,
  forOthers,
  grantable,
  grantableAnew,
  holdsEveryPermission,
  neitherSelfNorSystem,
  notOneself,
  notToKnownKeys,
  notToOneself,
  ofServiceUser,
  type Rule,
  visible,
  withinScope,
} from "./account-rules";
import { findTarget, type Target } from "./find-target";
import { noRoles } from "./role-policy";
import { assertMayChange } from "./user-policy";
import type { Rejections } from "./values";

/*
 * The rules for access to the accounts of other users. `accountWays` lists them all: an operation that changes a user, a key or a
 * role calls `assertMayUse` with its entry, and a test compares the list with the operations of the API.
 *
 *   hands out     a credential of the user: requires every permission that the user has, and tenant.admin if the user has rights in
 *                 other tenants. A link, an e-mail address that a link is mailed to, and a secret are the same to their recipient.
 *   grants        roles: user.manage grants all but the guarded ones, a restricted API key nothing that it lacks, nobody to themselves.
 *   takes away    rights of a user: in every tenant, the last administrator who can sign in must remain.
 *
 * Every entry requires `assertMayChange`: only a tenant.admin changes a tenant.admin, and only a system user a system user.
 *
 * A session in another tenant (POST /v1/user/session/switch) needs no rule: it is opened for the caller's own user.
 */

const handsOutAccount = [
  holdsEveryPermission,
  adminForMembers(
    "This user has rights in other tenants too: only a tenant.admin may give access to the user.",
  ),
];

/** Each kind of access, its operations, and its requirements in addition to `assertMayChange`, in the order of the checks. */
export const accountWays = {
  "password-link": {
    operations: ["POST /v1/user/{id}/password-reset"],
    needs: [notOneself("make a reset link for"), atHome, ...handsOutAccount],
  },
  "second-factors": {
    operations: ["POST /v1/user/{id}/reset-second-factors"],
    needs: [notOneself("reset the second factors of"), atHome, ...handsOutAccount, emergencyStays],
  },
  "new-user": {
    operations: ["POST /v1/user/invitations", "POST /v1/user/service-users"],
    needs: [grantable, visible],
  },
  /** For an invited user without a password: checked when the link is redeemed. */
  "invitation-link": {
    operations: ["POST /v1/user/invitations"],
    needs: [atHome, grantableAnew],
  },
  "email-address": {
    operations: ["PATCH /v1/user/{id}"],
    needs: [bySession, forOthers(...handsOutAccount)],
  },
  "service-key": {
    operations: [
      "POST /v1/user/{id}/api-keys",
      "POST /v1/user/api-keys/{apiKeyId}/rotate",
      "POST /v1/user/api-keys/{apiKeyId}/hand-offs",
    ],
    needs: [holdsEveryPermission, ofServiceUser],
  },
  "key-handover": {
    operations: ["POST /v1/user/api-keys/{apiKeyId}/handover"],
    needs: [holdsEveryPermission],
  },
  "looser-key-limits": {
    operations: ["PATCH /v1/user/api-keys/{apiKeyId}"],
    needs: [holdsEveryPermission],
  },
  roles: {
    operations: ["PUT /v1/user/{id}/roles", "POST /v1/user/access-requests/{id}/decide"],
    needs: [notToOneself, grantable, notToKnownKeys, demotesOthers],
  },
  "loss-of-admin": { operations: ["PUT /v1/user/{id}/roles"], needs: [adminStaysWithRoles] },
  details: { operations: ["PATCH /v1/user/{id}"], needs: [atHome, withinScope("user.manage")] },
  lock: {
    operations: ["POST /v1/user/{id}/lock"],
    needs: [
      neitherSelfNorSystem("lock"),
      withinScope("user.manage"),
      emergencyStays,
      adminStays,
      adminStaysElsewhere,
    ],
  },
  unlock: { operations: ["POST /v1/user/{id}/unlock"], needs: [withinScope("user.manage")] },
  deactivation: {
    operations: ["POST /v1/user/{id}/deactivate"],
    needs: [
      neitherSelfNorSystem("deactivate"),
      atHome,
      withinScope("user.manage"),
      emergencyStays,
      adminStays,
      adminStaysElsewhere,
    ],
  },
  reactivation: {
    operations: ["POST /v1/user/{id}/reactivate"],
    needs: [atHome, withinScope("user.manage")],
  },
  erasure: {
    operations: ["POST /v1/user/{id}/erase"],
    // It cannot be undone, so the caller needs every permission of the user.
    needs: [
      neitherSelfNorSystem("erase"),
      atHome,
      holdsEveryPermission,
      adminForMembers(
        "This user has rights in other tenants too: only a tenant.admin may erase the user.",
      ),
      adminStaysElsewhere,
    ],
  },
  "end-of-sessions": {
    operations: ["DELETE /v1/user/{id}/sessions"],
    needs: [withinScope("session.manage")],
  },
  /** Someone who knows the secret could use it again: the same rules as for handing it out. */
  "key-resumption": {
    operations: ["POST /v1/user/api-keys/{apiKeyId}/resume"],
    needs: [holdsEveryPermission],
  },
  "key-state": {
    operations: [
      "POST /v1/user/api-keys/{apiKeyId}/suspend",
      "POST /v1/user/api-keys/{apiKeyId}/revoke",
      "DELETE /v1/user/api-keys/{apiKeyId}/hand-offs/{id}",
    ],
    needs: [],
  },
} satisfies Record<string, { operations: string[]; needs: Rule[] }>;

export type AccountWay = keyof typeof accountWays;

/** The target of a request to create a user: one that does not exist yet. */
export const newcomer = ({ tenantId }: Caller, kind: Target["kind"]): AccountRequest["target"] => ({
  ...{ userId: "", homeTenantId: tenantId, kind, isSystem: false, roles: noRoles },
});

/** Throws 403 or 409 unless the caller may reach the user's account this way now. */
export async function assertMayUse(way: AccountWay, request: AccountRequest): Promise<void> {
  assertMayChange(request.caller, request.target);
  const needs: readonly Rule[] = accountWays[way].needs;
  for (const need of needs) await need(request);
}

const shownWays = ["details", "email-address", "password-link"] as const satisfies (AccountWay &
  keyof Rejections)[];

async function rejectionOf(way: AccountWay, request: AccountRequest): Promise<string | undefined> {
  try {
    await assertMayUse(way, request);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return error.message;
    throw error;
  }
}

/** Runs the rules of the operations, so that a page only offers what they allow. Throws 404 for a user whom the caller may not see. */
export async function findRejections(caller: Caller, userId: string): Promise<Rejections> {
  const target = await findTarget(db(), caller, userId, "user.manage");
  const rejections: Rejections = {};
  for (const way of shownWays) {
    const detail = await rejectionOf(way, { tx: db(), caller, target });
    if (detail !== undefined) rejections[way] = detail;
  }
  return rejections;
}
