import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { ApiError } from "@/lib/protocol/errors";
import type { NewInvitation, NewServiceUser } from "./administration-contract";
import type { User } from "./contract";
import { createUser } from "./create";
import { issueLink } from "./password-links";
import { checkGrants, checkSites, inOrder } from "./role-policy";
import { getUser } from "./service";
import { demandEveryPermission, demandHome, refuseOneself, touching } from "./user-policy";
import { auditTarget } from "./user-row";

const nothing = { roleIds: [], sites: {} };

/** Makes somebody who comes in once the link is accepted. Throws 403 for roles that the caller may not grant, 409 for a login in use. */
export async function inviteUser(caller: Caller, invitation: z.output<typeof NewInvitation>) {
  checkSites(caller.siteIds, invitation.roles, "/roles");
  checkGrants(caller, nothing, invitation.roles);
  return transaction(async (tx) => {
    const userId = await createUser(tx, actingAs(caller), {
      ...invitation,
      roles: inOrder(invitation.roles),
      state: "invited",
    });
    return issueLink(tx, caller.tenantId, userId, "invitation");
  });
}

/** Makes a user for a program. */
export async function createServiceUser(
  caller: Caller,
  given: z.output<typeof NewServiceUser>,
): Promise<User> {
  checkSites(caller.siteIds, given.roles, "/roles");
  checkGrants(caller, nothing, given.roles);
  const user = {
    ...given,
    roles: inOrder(given.roles),
    kind: "service" as const,
    emailAddress: "",
  };
  const userId = await transaction((tx) => createUser(tx, actingAs(caller), user));
  return getUser(caller, userId);
}

/** A link for a user who forgot the password, or lost the invitation. It hands out what the user may do, so the caller must hold all of it. */
export async function createPasswordReset(caller: Caller, userId: string) {
  return touching(caller, userId, "user.manage", async (tx, target) => {
    refuseOneself(caller, target, "make a reset link for");
    demandHome(caller, target);
    demandEveryPermission(caller, target.roles);
    if (target.kind === "service")
      throw new ApiError(
        "user.no-password",
        "A service user has no password. Make an API key for it.",
      );
    const purpose = target.state === "invited" ? "invitation" : "reset";
    const link = await issueLink(tx, caller.tenantId, userId, purpose);
    const changes = { link: { after: { purpose, expiresAt: link.expiresAt } } };
    await record(tx, actingAs(caller), {
      action: "user.password-link-made",
      target: auditTarget(target),
      changes,
    });
    return link;
  });
}
