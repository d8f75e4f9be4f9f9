import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";

import { actingAs, record } from "@/lib/features/audit/service";
import { ApiError } from "@/lib/protocol/errors";
import type { NewInvitation, NewServiceUser } from "./administration-contract";
import type { User } from "./contract";
import { createUser } from "./create";
import { auditTarget } from "./find-target";
import { assertMayReset } from "./link-issuer";
import { issueLink } from "./password-links";
import {
  assertGrantable,
  assertSitesExist,
  assertVisibleToManager,
  noRoles,
  sortedRoles,
} from "./role-policy";
import { getUser } from "./service";
import { assertNotErased, withUserForUpdate } from "./user-policy";

/** Creates a user who can sign in once the link is accepted. Throws 403 for roles that the caller may not grant, 409 for a login in use. */
export async function inviteUser(caller: Caller, invitation: z.output<typeof NewInvitation>) {
  assertSitesExist(caller.siteIds, invitation.roles, "/roles");
  assertGrantable(caller, noRoles, invitation.roles);
  assertVisibleToManager(caller, invitation.roles);
  return transactionFor(caller, async (tx) => {
    const userId = await createUser(tx, actingAs(caller), {
      ...invitation,
      roles: sortedRoles(invitation.roles),
      state: "invited",
    });
    return issueLink(
      tx,
      caller,
      { tenantId: caller.tenantId, userId },
      { purpose: "invitation", issuedBy: "POST /v1/user/invitations" },
    );
  });
}

/** Makes a user for a program. */
export async function createServiceUser(
  caller: Caller,
  given: z.output<typeof NewServiceUser>,
): Promise<User> {
  assertSitesExist(caller.siteIds, given.roles, "/roles");
  assertGrantable(caller, noRoles, given.roles);
  assertVisibleToManager(caller, given.roles);
  const user = {
    ...given,
    roles: sortedRoles(given.roles),
    kind: "service" as const,
    emailAddress: "",
  };
  return transactionFor(caller, async (tx) =>
    getUser(caller, await createUser(tx, actingAs(caller), user), tx),
  );
}

/** A link for a user who forgot the password, or lost the invitation. The same checks apply again when it is redeemed. */
export async function createPasswordReset(caller: Caller, userId: string) {
  return withUserForUpdate(caller, userId, "user.manage", async (tx, target) => {
    assertNotErased(target);
    await assertMayReset(tx, caller, target);
    if (target.kind === "service")
      throw new ApiError(
        "user.no-password",
        "A service user has no password. Make an API key for it.",
      );
    const purpose = target.state === "invited" ? "invitation" : "reset";
    const user = { tenantId: caller.tenantId, userId };
    const link = await issueLink(tx, caller, user, {
      purpose,
      issuedBy: "POST /v1/user/{id}/password-reset",
    });
    const changes = { link: { after: { purpose, expiresAt: link.expiresAt } } };
    await record(tx, actingAs(caller), {
      action: "user.password-link-made",
      target: auditTarget(target),
      changes,
    });
    return link;
  });
}
