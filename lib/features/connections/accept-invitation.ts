import { newId } from "@/lib/database/ids";
import type { Transaction } from "@/lib/database/open";
import { record } from "@/lib/features/audit/service";
import { openSession } from "@/lib/features/sessions/open-session";
import { acceptInvitation } from "@/lib/features/users/password-links";
import { isRejection } from "@/lib/protocol/errors";
import { SignInFailure } from "./failure";
import { insertIdentity } from "./identity-rows";
import {
  assertStillEnabled,
  candidateOf,
  followGroups,
  keyOf,
  type ProviderSignIn,
  provenanceOf,
  useUpNonce,
} from "./sign-in";

/** Links the provider account to the invited user. Throws SignInFailure if the account is already linked to a user. */
async function linkInvited(tx: Transaction, signIn: ProviderSignIn, userId: string) {
  const now = new Date();
  const key = keyOf(signIn);
  const row = {
    ...key,
    identityId: newId("iden"),
    userId,
    createdAt: now,
    lastUsedAt: now,
    groups: null,
  };
  if (!(await insertIdentity(tx, row))) throw new SignInFailure("linked-elsewhere");
  const { tenantId, connectionId, issuer } = key;
  const acting = { tenantId, actor: { type: "user" as const, id: userId }, ...signIn.origin };
  await record(tx, acting, {
    action: "user.identity-linked",
    target: { type: "user", id: userId },
    changes: { identity: { after: `${connectionId} ${issuer}` } },
  });
  return row;
}

/**
 * Accepts an invitation with an account at the provider instead of a password, and obtains a session: the holder of the link is the invited
 * person. If it throws SignInFailure, the link stays valid.
 */
export async function acceptByProvider(
  signIn: ProviderSignIn,
  token: string,
): Promise<{ sessionId: string }> {
  const { tenantId } = signIn.connection;
  const row = await acceptInvitation(tenantId, token, signIn.origin, async (tx, userId) => {
    await useUpNonce(tx, signIn);
    return linkInvited(tx, signIn, userId);
  }).catch((error: unknown) => {
    throw isRejection(error) ? new SignInFailure("invitation-invalid", error.code) : error;
  });
  await followGroups(signIn, row);
  const spend = (tx: Transaction) => assertStillEnabled(tx, signIn.connection);
  const opened = provenanceOf(row, signIn);
  const options = { authenticatedBy: "connection", ...opened, useUp: spend };
  return openSession(tenantId, await candidateOf(row), options, signIn.origin);
}
