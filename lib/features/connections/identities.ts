import type { Caller } from "@/lib/access/caller";
import { newId } from "@/lib/database/ids";
import type { Transaction } from "@/lib/database/open";
import { type Acting, actingAs, record } from "@/lib/features/audit/service";
import { isPasskeyAccepted } from "@/lib/features/sessions/passkey-login";
import { findMemberCandidate } from "@/lib/features/users/login-candidate";
import type { AuditChanges } from "@/lib/protocol/documents/audit-entry";
import { ApiError } from "@/lib/protocol/errors";
import { isSlug } from "@/lib/protocol/formats";
import { publicUrl } from "@/lib/protocol/settings";
import { SignInFailure } from "./failure";
import type { Identity, SignInConnection, SignInMethods } from "./identity-contract";
import {
  deleteIdentitiesAt,
  deleteIdentity as deleteRow,
  findIdentity,
  identitiesOf,
  insertIdentity,
} from "./identity-rows";
import { selectConnections } from "./rows";
import { keyOf, type ProviderSignIn, useUpNonce } from "./sign-in";
import { syncGroupRoles, withGroupChange } from "./sync-group-roles";
import { maxIdentities } from "./values";

/** The change must succeed: the last administrator keeps the role until another user has it. */
const stays = { hasToSucceed: true };

/** The providers of the sign-in page: the result is the same for an unknown tenant and one without providers. */
export async function listSignInConnections(tenantId: string): Promise<SignInConnection[]> {
  const enabled = (await selectConnections(tenantId)).filter(({ isEnabled }) => isEnabled);
  return enabled.map(({ connectionId: id, name }) => ({
    ...{ id, name },
    url: `${publicUrl()}/sign-in?tenant=${tenantId}&connection=${id}`,
  }));
}

/** What the sign-in page offers in addition to the password. */
export async function listSignInMethods(tenantId: string): Promise<SignInMethods> {
  const connections = await listSignInConnections(tenantId);
  return { passkey: await isPasskeyAccepted(tenantId), connections };
}

/** The same for the first paint of the sign-in page, for the tenant in its URL. */
export async function signInMethodsOf(tenant: string | undefined) {
  if (tenant === undefined || !isSlug(tenant)) return undefined;
  return { tenant, ...(await listSignInMethods(tenant)) };
}

/** Throws 403 outside the caller's home tenant: providers identify users only there. */
function assertAtHome({ tenantId, homeTenantId }: Caller): void {
  if (homeTenantId === tenantId) return;
  const detail = `Your linked providers belong to your home tenant ${homeTenantId}.`;
  throw new ApiError("user.other-home", detail, homeTenantId);
}

/** Throws 403 for users who may not sign in through a provider: guests, service users and the platform's own users. */
export function assertMayLink(caller: Caller): void {
  assertAtHome(caller);
  if (caller.isSystem || caller.isServiceUser)
    throw new ApiError(
      "user.system",
      "A user of the platform itself does not sign in at a tenant's provider.",
      caller.userId,
    );
}

const recordChange = (
  tx: Transaction,
  caller: Caller,
  action: `user.${string}`,
  changes: AuditChanges,
) =>
  record(tx, actingAs(caller), {
    action,
    target: { type: "user", id: caller.userId, name: caller.login },
    changes,
  });

/** The linked accounts of a user, newest first. */
export async function listIdentitiesOf(
  person: Pick<Caller, "tenantId" | "userId">,
): Promise<Identity[]> {
  const connections = await selectConnections(person.tenantId);
  const names = new Map(connections.map(({ connectionId, name }) => [connectionId, name]));
  return (await identitiesOf(person)).map((row) => {
    const { identityId: id, connectionId, issuer, subject, createdAt, lastUsedAt } = row;
    const connection = { id: connectionId, name: names.get(connectionId) ?? "" };
    return {
      ...{ id, connection, issuer, subject, createdAt: createdAt.toISOString() },
      ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    };
  });
}

export async function listIdentities(caller: Caller): Promise<Identity[]> {
  assertAtHome(caller);
  return listIdentitiesOf(caller);
}

/** Links the provider account to the caller's own user. Throws SignInFailure if it is linked to another user. */
export async function linkIdentity(caller: Caller, signIn: ProviderSignIn): Promise<void> {
  assertMayLink(caller);
  const { userId } = caller;
  const key = keyOf(signIn);
  // Serializes concurrent links, so that each one counts those before it.
  await withGroupChange(caller.tenantId, async (tx) => {
    await useUpNonce(tx, signIn);
    const known = await findIdentity(key, tx);
    if (known?.userId === userId) return;
    if ((await identitiesOf(caller, tx)).length >= maxIdentities)
      throw new SignInFailure("no-entry", "identity.limit-reached");
    const identityId = newId("iden");
    const row = { ...key, identityId, userId, createdAt: new Date(), lastUsedAt: null };
    if (known || !(await insertIdentity(tx, row))) throw new SignInFailure("linked-elsewhere");
    await recordChange(tx, caller, "user.identity-linked", {
      identity: { after: `${row.connectionId} ${row.issuer}` },
    });
    await syncGroupRoles(tx, actingAs(caller), { userIds: [userId] }, stays);
  });
}

/** Unlinks an identity. Throws 404, and 409 if the user could no longer sign in. */
export async function deleteIdentity(caller: Caller, id: string): Promise<void> {
  assertAtHome(caller);
  // Serializes concurrent requests: each of two could count the other account as the remaining one.
  await withGroupChange(caller.tenantId, async (tx) => {
    const deleted = await deleteRow(tx, caller, id);
    if (!deleted)
      throw new ApiError("identity.not-found", "You have linked no such account at a provider.");
    const person = await findMemberCandidate(caller.tenantId, caller);
    if (!person?.passwordHash && (await identitiesOf(caller, tx)).length === 0)
      throw new ApiError(
        "identity.only-way",
        "You have no password: without this account you could not sign in any more.",
      );
    await recordChange(tx, caller, "user.identity-unlinked", {
      identity: { before: `${deleted.connectionId} ${deleted.issuer}` },
    });
    await syncGroupRoles(tx, actingAs(caller), { userIds: [caller.userId] }, stays);
  });
}

/** Unlinks a user's account at one connection, because the provider now identifies the user differently. */
export async function unlinkFrom(
  tx: Transaction,
  acting: Acting,
  { userId, login, connectionId }: { userId: string; login: string; connectionId: string },
): Promise<void> {
  const { tenantId } = acting;
  if (!(await deleteIdentitiesAt(tx, { tenantId, userId }, connectionId))) return;
  await record(tx, acting, {
    action: "user.identity-unlinked",
    target: { type: "user", id: userId, name: login },
    changes: { identity: { before: connectionId } },
  });
  await syncGroupRoles(tx, acting, { userIds: [userId] });
}
