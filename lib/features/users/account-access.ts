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
 * Who may reach somebody else's account, by whatever operation. `accountWays` is the whole list: an operation that changes a person,
 * a key or a role names its way and calls `assertMayUse`, and a test compares the list with the operations of the API.
 *
 *   hands out     what works as the user: it needs every permission that the user has, and tenant.admin where the user has rights in
 *                 other tenants. A link, an e-mail address that a link is mailed to, and a secret are the same to their recipient.
 *   grants        roles: user.manage grants all but the guarded ones, a restricted API key nothing that it lacks, nobody to themselves.
 *   takes away    from somebody: the last person who can sign in as an administrator stays, in every tenant.
 *
 * Every way needs `assertMayChange`: only a tenant.admin touches a tenant.admin, and only a system user a system user.
 *
 * A session in another tenant (POST /v1/user/session/switch) is no way to somebody else: it is opened for the caller's own user.
 */

const handsOutAccount = [
  holdsEveryPermission,
  adminForMembers(
    "This user has rights in other tenants too: only a tenant.admin may give access to the user.",
  ),
];

/** Each way, the operations that use it, and what it needs in addition to `assertMayChange`, in the order in which it is checked. */
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
  /** Of somebody who was invited and has no password yet: asked when the link is redeemed. */
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
    // It cannot be undone, so the caller needs every right of the person.
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
  /** Somebody who knows the secret may be waiting for it: the same as to hand it out. */
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

/** A user who does not exist yet, as the target of a request to create one. */
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

/** Asks the rules of the operations themselves, so that a page offers what they do. Throws 404 for a user whom the caller may not see. */
export async function findRejections(caller: Caller, userId: string): Promise<Rejections> {
  const target = await findTarget(db(), caller, userId, "user.manage");
  const rejections: Rejections = {};
  for (const way of shownWays) {
    const detail = await rejectionOf(way, { tx: db(), caller, target });
    if (detail !== undefined) rejections[way] = detail;
  }
  return rejections;
}
