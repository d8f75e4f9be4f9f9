import { lockTenant } from "@/lib/access/access-versions";
import type { Caller } from "@/lib/access/caller";
import { transaction } from "@/lib/database/open";
import { findSessionRow } from "@/lib/features/sessions/rows";
import { noteStepUp } from "@/lib/features/sessions/step-up";
import { findMemberCandidate } from "@/lib/features/users/login-candidate";
import { isRejection } from "@/lib/protocol/errors";
import { clockToleranceSeconds } from "./code-exchange";
import { SignInFailure } from "./failure";
import { findIdentity, type IdentityRow, noteIdentityUse } from "./identity-rows";
import { assertStillEnabled, keyOf, type ProviderSignIn, useUpNonce } from "./sign-in";

/** Throws if the provider only reused an existing session: the user signed in there before this step-up started. */
function assertFresh({ identified: { claims } }: ProviderSignIn, startedAt: number): void {
  const at = claims.auth_time;
  if (typeof at !== "number" || !Number.isFinite(at))
    throw new SignInFailure("token-invalid", "auth_time");
  if (at < startedAt - clockToleranceSeconds) throw new SignInFailure("not-fresh");
  if (at > Date.now() / 1000 + clockToleranceSeconds)
    throw new SignInFailure("token-invalid", "auth_time");
}

/** The identity of the session, or else any of the caller's. Throws if another user signed in at the provider. */
async function identityOf(caller: Caller, signIn: ProviderSignIn): Promise<IdentityRow> {
  const identity = await findIdentity(keyOf(signIn));
  const session = await findSessionRow(caller.tenantId, caller.credentialId);
  const isTheirs =
    caller.homeTenantId === signIn.connection.tenantId && identity?.userId === caller.userId;
  const isOther = session?.identityId && session.identityId !== identity?.identityId;
  if (!identity || !isTheirs || isOther) throw new SignInFailure("somebody-else");
  return identity;
}

/**
 * Accepts a new sign-in at the provider as a proof of identity, only for users without a second factor here: others must prove the second
 * factor, as with a password. `startedAt` is the time of the redirect to the provider, in seconds. Throws SignInFailure.
 */
export async function stepUpByProvider(
  caller: Caller,
  signIn: ProviderSignIn,
  startedAt: number,
): Promise<void> {
  assertFresh(signIn, startedAt);
  const identity = await identityOf(caller, signIn);
  const person = await findMemberCandidate(caller.tenantId, caller);
  if (!person) throw new SignInFailure("session-over");
  if (person.hasSecondFactor) throw new SignInFailure("no-entry", "auth.second-factor-required");
  // Not in the transaction of the session: the session may belong to another tenant.
  await transaction(async (tx) => {
    await lockTenant(tx, identity.tenantId);
    await useUpNonce(tx, signIn);
    await assertStillEnabled(tx, signIn.connection);
    if (!(await noteIdentityUse(tx, identity))) throw new SignInFailure("not-linked");
  });
  await noteStepUp(caller, person, "connection").catch((error: unknown) => {
    throw isRejection(error) ? new SignInFailure("session-over", error.code) : error;
  });
}
