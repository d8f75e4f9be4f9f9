import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { endAllSessions } from "@/lib/access/end-sessions";
import { isLockedAt } from "@/lib/access/locks";
import type { Transaction } from "@/lib/database/open";
import { type Acting, actingAs, record } from "@/lib/features/audit/service";
import { invalid } from "@/lib/protocol/errors";
import { type AccountWay, assertMayUse } from "./account-access";
import type { Lock } from "./administration-contract";
import type { User } from "./contract";
import { auditTarget, type Target } from "./find-target";
import { voidLinks } from "./password-links";
import { updateUserRow } from "./rows";
import { getUser } from "./service";
import { assertNotErased, withUserForUpdate } from "./user-policy";

const lockOf = (target: Target) => ({
  reason: target.lockReason,
  until: target.lockedUntil?.toISOString() ?? null,
});

/** Runs a change of a user like `withUserForUpdate`, and returns the changed user. */
function changing(
  caller: Caller,
  userId: string,
  way: AccountWay,
  work: (tx: Transaction, target: Target) => Promise<void>,
): Promise<User> {
  return withUserForUpdate(caller, userId, "user.manage", async (tx, target) => {
    assertNotErased(target);
    await assertMayUse(way, { tx, caller, target });
    await work(tx, target);
    return getUser(caller, userId, tx);
  });
}

/** Locks a user in this tenant, or changes the reason or expiry of a lock. Throws 409 for the last tenant.admin. */
export async function lockUser(
  caller: Caller,
  userId: string,
  { reason, until }: z.output<typeof Lock>,
): Promise<User> {
  if (until && until <= new Date())
    throw invalid([{ pointer: "/until", detail: "/until must be in the future." }]);
  return changing(caller, userId, "lock", async (tx, target) => {
    await updateUserRow(
      tx,
      { tenantId: caller.tenantId, userId },
      {
        isLocked: true,
        lockReason: reason,
        lockedUntil: until ?? null,
      },
    );
    await voidLinks(tx, { tenantId: caller.tenantId, userId }, "lock");
    const wasLocked = isLockedAt(target, new Date());
    const after = { reason, until: until?.toISOString() ?? null };
    const changes = { lock: { before: wasLocked ? lockOf(target) : false, after } };
    await record(tx, actingAs(caller), {
      action: "user.locked",
      target: auditTarget(target),
      changes,
    });
  });
}

/** Lifts a lock. Unlocking a user who is not locked changes nothing. */
export async function unlockUser(caller: Caller, userId: string): Promise<User> {
  return changing(caller, userId, "unlock", async (tx, target) => {
    if (!target.isLocked) return;
    await updateUserRow(
      tx,
      { tenantId: caller.tenantId, userId },
      { isLocked: false, lockReason: null, lockedUntil: null },
    );
    await voidLinks(tx, { tenantId: caller.tenantId, userId }, "lock");
    const changes = { lock: { before: lockOf(target), after: false } };
    await record(tx, actingAs(caller), {
      action: "user.unlocked",
      target: auditTarget(target),
      changes,
    });
  });
}

/** Changes the user's state and records it. Voids existing links. */
async function changeState(
  tx: Transaction,
  acting: Acting,
  target: Target,
  { state, action }: { state: Target["state"]; action: `user.${string}` },
): Promise<void> {
  const { tenantId } = acting;
  const { userId } = target;
  await updateUserRow(tx, { tenantId, userId }, { state });
  if (state === "deactivated") await endAllSessions(tx, { tenantId, userId });
  await voidLinks(tx, { tenantId, userId }, "state");
  const changes = { state: { before: target.state, after: state } };
  await record(tx, acting, { action, target: auditTarget(target), changes });
}

/**
 * Deactivates a user in every tenant: sessions end, API keys are rejected until the user is active again. Call it within
 * `withAccessChange`, after the permission was checked.
 */
export async function deactivate(tx: Transaction, acting: Acting, target: Target): Promise<void> {
  if (target.state === "deactivated") return;
  await changeState(tx, acting, target, { state: "deactivated", action: "user.deactivated" });
}

/** Makes a deactivated user active again, or invited. Call it within `withAccessChange`. */
export async function reactivate(
  tx: Transaction,
  acting: Acting,
  target: Target,
  state: "active" | "invited",
): Promise<void> {
  if (target.state !== "deactivated") return;
  await changeState(tx, acting, target, { state, action: "user.reactivated" });
}

/** Deactivates a user in every tenant. Throws 409 for the last tenant.admin. */
export async function deactivateUser(caller: Caller, userId: string): Promise<User> {
  return changing(caller, userId, "deactivation", (tx, target) =>
    deactivate(tx, actingAs(caller), target),
  );
}

/** Whether an identity provider signs a user in: then no invitation is needed. */
export type HasProvider = (
  of: { tenantId: string; userId: string },
  tx: Transaction,
) => Promise<boolean>;

/** Makes a deactivated user active again; a user who never signed in and has no method to do so is invited again. */
export async function reactivateUser(
  caller: Caller,
  userId: string,
  hasProvider: HasProvider,
): Promise<User> {
  return changing(caller, userId, "reactivation", async (tx, target) => {
    const { kind, passwordHash, lastLoginAt } = target;
    const { tenantId } = caller;
    const isUnused = kind === "person" && passwordHash === null && lastLoginAt === null;
    const isNew = isUnused && !(await hasProvider({ tenantId, userId }, tx));
    await reactivate(tx, actingAs(caller), target, isNew ? "invited" : "active");
  });
}
