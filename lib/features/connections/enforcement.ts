import type { Caller } from "@/lib/access/caller";
import { policyNow } from "@/lib/access/sites";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { isAnyEmergencyAdministratorReady } from "@/lib/features/users/emergency-administrators";
import { ApiError } from "@/lib/protocol/errors";
import type { SignInSafety } from "./identity-contract";
import { lastSignInOfAdministrator } from "./identity-rows";
import { type ConnectionRow, selectConnections } from "./rows";

/*
 * Conditions for restricting passwords to emergency administrators, before and while it applies: the provider works, and at least one
 * administrator can sign in without it.
 */

const recentMs = 3_600_000;

async function safetyOf(on: Executor, tenantId: string): Promise<SignInSafety> {
  const last = await lastSignInOfAdministrator(on, tenantId);
  return {
    connectionSignIn: last !== undefined && Date.now() - last.getTime() <= recentMs,
    ...(last && { lastConnectionSignInAt: last.toISOString() }),
    emergencyAdministrator: await isAnyEmergencyAdministratorReady(on, tenantId),
  };
}

export const getSignInSafety = ({ tenantId }: Caller): Promise<SignInSafety> =>
  safetyOf(db(), tenantId);

/** Throws 409 with the missing conditions. Call it in the transaction that locks the tenant's row. */
export async function assertEnforcementSafe(tx: Transaction, tenantId: string): Promise<void> {
  const { connectionSignIn, emergencyAdministrator } = await safetyOf(tx, tenantId);
  const missing = Object.entries({ connectionSignIn, emergencyAdministrator }).flatMap(
    ([name, isThere]) => (isThere ? [] : [name]),
  );
  if (missing.length === 0) return;
  throw new ApiError(
    "sign-in.not-safe",
    "Passwords cannot be limited yet: within the last hour a tenant.admin has to sign in through an enabled connection, and an emergency administrator needs a password and a second factor that work.",
    missing.join(","),
  );
}

/** Throws 409 for the last enabled connection while only emergency administrators may sign in with a password. */
export async function assertNotNeeded(
  tx: Transaction,
  { tenantId, connectionId, isEnabled }: ConnectionRow,
): Promise<void> {
  if (!isEnabled || (await policyNow(tx, tenantId)).passwordSignIn !== "emergency-only") return;
  const others = await selectConnections(tenantId, tx);
  if (others.some((one) => one.isEnabled && one.connectionId !== connectionId)) return;
  throw new ApiError(
    "connection.needed",
    "This is the last enabled provider, and the security policy lets people sign in only there. Let everybody sign in with a password again first.",
    connectionId,
  );
}
