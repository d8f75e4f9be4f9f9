import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { assertSteppedUp } from "@/lib/access/step-up";
import { transactionFor } from "@/lib/database/held-transactions";
import { actingAs, record } from "@/lib/features/audit/service";
import { ApiError } from "@/lib/protocol/errors";
import { assertMayUse, newcomer } from "./account-access";
import type { NewServiceUser } from "./administration-contract";
import type { User } from "./contract";
import { createUser } from "./create";
import { isPasswordAccepted, passwordNotAccepted } from "./emergency-administrators";
import { auditTarget } from "./find-target";
import { issueLink } from "./password-links";
import type { NewInvitation, PasswordLink } from "./password-links-contract";
import { assertSitesExist, sortedRoles } from "./role-policy";
import { getUser } from "./service";
import { assertNotErased, withUserForUpdate } from "./user-policy";

/** An empty link, for responses without one. */
const withoutLink = (id: string): z.input<typeof PasswordLink> => ({
  ...{ id, url: "", token: "", expiresAt: new Date().toISOString() },
});

/**
 * Creates a user who can sign in once a link is accepted. An API key does not receive the link: a leaked key could otherwise create a
 * user who remains after the key is revoked. Throws 403 for roles that the caller may not grant, 409 for a login in use.
 */
export async function inviteUser(
  caller: Caller,
  invitation: z.output<typeof NewInvitation>,
): Promise<z.input<typeof PasswordLink>> {
  assertSitesExist(caller.siteIds, invitation.roles, "/roles");
  const { roleIds, sites } = invitation.roles;
  const atSites = Object.values(sites).flatMap((site) => site.roleIds);
  if ([...roleIds, ...atSites].includes("tenant.admin")) await assertSteppedUp(caller, "policy");
  return transactionFor(caller, async (tx) => {
    const target = newcomer(caller, "person");
    await assertMayUse("new-user", { tx, caller, target, after: invitation.roles });
    const userId = await createUser(tx, actingAs(caller), {
      ...invitation,
      roles: sortedRoles(invitation.roles),
      state: "invited",
    });
    if (caller.kind === "apiKey") return withoutLink(userId);
    return issueLink(
      tx,
      caller,
      { tenantId: caller.tenantId, userId },
      { purpose: "invitation", issuedBy: "POST /v1/user/invitations" },
    );
  });
}

/** Creates a user for a program. */
export async function createServiceUser(
  caller: Caller,
  given: z.output<typeof NewServiceUser>,
): Promise<User> {
  assertSitesExist(caller.siteIds, given.roles, "/roles");
  const user = {
    ...given,
    roles: sortedRoles(given.roles),
    kind: "service" as const,
    emailAddress: "",
  };
  return transactionFor(caller, async (tx) => {
    const target = newcomer(caller, "service");
    await assertMayUse("new-user", { tx, caller, target, after: given.roles });
    return getUser(caller, await createUser(tx, actingAs(caller), user), tx);
  });
}

/** A link for a user who forgot the password, or lost the invitation. The same checks apply again when it is redeemed. */
export async function createPasswordReset(caller: Caller, userId: string) {
  return withUserForUpdate(caller, userId, "user.manage", async (tx, target) => {
    assertNotErased(target);
    await assertMayUse("password-link", { tx, caller, target });
    if (target.kind === "service")
      throw new ApiError(
        "user.no-password",
        "A service user has no password. Make an API key for it.",
      );
    const purpose = target.state === "invited" ? "invitation" : "reset";
    const user = { tenantId: caller.tenantId, userId };
    if (purpose === "reset" && !(await isPasswordAccepted(user)))
      throw passwordNotAccepted(caller.tenantId);
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
