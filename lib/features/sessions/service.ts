import type { z } from "zod";
import { withAccessChange } from "@/lib/access/access-versions";
import { unknownCredential } from "@/lib/access/authenticate";
import { assertPermission, type Caller, effectivePermissions } from "@/lib/access/caller";
import { credentialEpochOf, endAllSessions, endSessionsHere } from "@/lib/access/end-sessions";
import { hashPassword, passwordForm, verifyPassword } from "@/lib/access/hashing";
import { lastNotedUse } from "@/lib/access/last-used";
import { isLockedAt } from "@/lib/access/locks";
import { issueManagementBearer } from "@/lib/access/management-bearer";
import { assertPasswordSuitable } from "@/lib/access/passwords";
import { tryPassword } from "@/lib/access/throttle";
import { db } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { assertMayUse } from "@/lib/features/users/account-access";
import { auditTarget, findTarget } from "@/lib/features/users/find-target";
import { voidLinks } from "@/lib/features/users/password-links";
import { findUserRow, replacePasswordHash } from "@/lib/features/users/rows";
import { withUserForUpdate } from "@/lib/features/users/user-policy";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { type Page, pageOf } from "@/lib/protocol/parameters";
import type { ChangePassword, CurrentSession, listSessions as listOwn, Session } from "./contract";
import { deleteSessionRow, endDerivedSessions, type SessionRow, sessionRowsOf } from "./rows";

export type SessionPageQuery = z.output<NonNullable<typeof listOwn.query>>;

/** The caller and its permissions, from the credential only, without a query. */
export function getCurrentSession(caller: Caller): z.input<typeof CurrentSession> {
  const {
    userId: id,
    login,
    name,
    tenantId,
    siteId,
    roles,
    expiresAt,
    mustChangePassword,
  } = caller;
  return {
    user: { id, login, name },
    tenant: tenantId,
    ...(siteId === undefined ? {} : { site: siteId }),
    roles,
    permissions: effectivePermissions(caller),
    expiresAt: expiresAt.toISOString(),
    ...(caller.idleSeconds === undefined
      ? {}
      : { idleExpiresAt: new Date(Date.now() + caller.idleSeconds * 1000).toISOString() }),
    ...(mustChangePassword ? { passwordChangeRequired: true } : {}),
  };
}

/** A session as shown to its owner and to managers. */
export function toSession(row: SessionRow, caller: Caller): Session {
  const lastSeen = Math.max(row.lastSeenAt.getTime(), lastNotedUse(row.sessionRef));
  return {
    ref: row.sessionRef,
    createdAt: row.createdAt.toISOString(),
    authenticatedAt: (row.authenticatedAt ?? row.createdAt).toISOString(),
    authenticatedBy: (row.authenticatedBy ?? "password").split(" "),
    lastSeenAt: new Date(lastSeen).toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    idleExpiresAt: new Date(lastSeen + row.idleSeconds * 1000).toISOString(),
    address: row.address,
    agent: row.agent,
    ...(row.siteId === "" ? {} : { site: row.siteId }),
    current: row.sessionRef === caller.credentialId,
  };
}

/** The active sessions among the rows of one user, newest first. */
export function sessionPage(
  rows: SessionRow[],
  caller: Caller,
  query: SessionPageQuery,
): Page<Session> {
  const now = new Date().toISOString();
  const answers = rows
    .map((row) => toSession(row, caller))
    .filter((session) => session.expiresAt > now && session.idleExpiresAt > now);
  return pageOf(answers, query, ({ createdAt, ref }) => `${createdAt} ${ref}`);
}

/** The caller's active sessions in this tenant, newest first; never more than 20. */
export async function listSessions(
  caller: Caller,
  query: SessionPageQuery,
): Promise<Page<Session>> {
  const rows = await sessionRowsOf(caller);
  // The caller's own session is current, so those of an earlier credential epoch have ended.
  const epoch =
    rows.find(({ sessionRef }) => sessionRef === caller.credentialId)?.credentialEpoch ?? 0;
  return sessionPage(
    rows.filter((row) => row.credentialEpoch >= epoch),
    caller,
    query,
  );
}

/** Ends one of the caller's sessions, but no session that was opened from it. Throws 404. */
export async function endSingleSession(caller: Caller, ref: string): Promise<void> {
  await withAccessChange(caller.tenantId, async (tx) => {
    if (!(await deleteSessionRow(tx, caller, ref)))
      throw new ApiError("session.not-found", "You have no such session. It may have ended.");
    await record(tx, actingAs(caller), {
      action: "session.ended",
      target: { type: "session", id: ref },
    });
  });
}

/** Ends one of the caller's sessions, and those opened from it in other tenants. Throws 404. */
export async function endSession(caller: Caller, ref: string): Promise<void> {
  await endSingleSession(caller, ref);
  await endDerivedSessions(actingAs(caller), caller, [ref]);
}

export async function endCurrentSession(caller: Caller): Promise<void> {
  await endSession(caller, caller.credentialId);
}

/** Ends all sessions of the caller in every tenant except the current session. Only in the home tenant. */
export async function endOtherSessions(caller: Caller): Promise<void> {
  assertAtHome(caller, "End all sessions");
  const { tenantId, userId, login } = caller;
  await withAccessChange(tenantId, async (tx) => {
    const { endedAtHome, isKept } = await endAllSessions(tx, caller, caller.credentialId);
    if (!isKept) throw unknownCredential("session");
    await record(tx, actingAs(caller), {
      action: "user.sessions-ended",
      target: { type: "user", id: userId, name: login },
      changes: { sessions: { before: endedAtHome + 1, after: 1 } },
    });
  });
}

/** Throws 403 outside the caller's home tenant, the only one with the password and the credential epoch. */
function assertAtHome({ tenantId, homeTenantId }: Caller, what: string): void {
  if (homeTenantId === tenantId) return;
  throw new ApiError(
    "user.other-home",
    `${what} in your home tenant ${homeTenantId}.`,
    homeTenantId,
  );
}

export async function createPortalToken(caller: Caller) {
  assertPermission(caller, "any-role");
  return issueManagementBearer(caller);
}

const incorrectCurrent = () =>
  invalid([{ pointer: "/current", detail: "The current password is not right." }]);

/**
 * Sets the caller's password, in the home tenant only. Ends all other sessions in every tenant and revokes reset links; API keys
 * remain valid. Written only if the hash is still the one that was checked: a change that races with a reset fails (400), and so
 * does one whose session has ended (401).
 */
export async function changePassword(
  caller: Caller,
  { current, password }: z.output<typeof ChangePassword>,
): Promise<void> {
  assertAtHome(caller, "Change the password");
  const { tenantId, userId, login, address } = caller;
  const who = { tenantId, plane: "management" as const, loginKey: labelKey(login), address };
  const before = await findUserRow(db(), caller);
  const hash = before?.passwordHash;
  if (!(await tryPassword(who, () => verifyPassword(who, hash, current))) || !hash) {
    throw incorrectCurrent();
  }
  const context = [login, caller.name, before?.emailAddress ?? "", tenantId];
  assertPasswordSuitable("management", password, context);
  if (passwordForm(password) === passwordForm(current))
    throw invalid(
      [{ pointer: "/password", detail: "The new password must differ from the current one." }],
      "password.unsuitable",
    );
  const passwordHash = await hashPassword(who, password);
  await withAccessChange(tenantId, async (tx) => {
    const user = await replacePasswordHash(tx, caller, { current: hash, next: passwordHash });
    if (!user) throw incorrectCurrent();
    if (user.state !== "active" || isLockedAt(user, new Date())) throw unknownCredential("session");
    await voidLinks(tx, caller, "password");
    const { isKept } = await endAllSessions(tx, caller, caller.credentialId);
    if (!isKept) throw unknownCredential("session");
    await record(tx, actingAs(caller), {
      action: "user.password-changed",
      target: { type: "user", id: userId, name: login },
    });
  });
}

/** The active sessions of a user in this tenant, newest first. */
export async function listUserSessions(
  caller: Caller,
  userId: string,
  query: SessionPageQuery,
): Promise<Page<Session>> {
  const target = await findTarget(db(), caller, userId, "session.manage");
  const rows = await sessionRowsOf({ tenantId: caller.tenantId, userId });
  const epoch = await credentialEpochOf({ tenantId: target.homeTenantId, userId });
  return sessionPage(
    rows.filter((row) => row.credentialEpoch >= epoch),
    caller,
    query,
  );
}

/** Ends every session of a user: those of this tenant, and in the user's home tenant those of every tenant. */
export async function endUserSessions(caller: Caller, userId: string): Promise<void> {
  await withUserForUpdate(caller, userId, "session.manage", async (tx, target) => {
    await assertMayUse("end-of-sessions", { tx, caller, target });
    const isHome = target.homeTenantId === caller.tenantId;
    const person = { tenantId: caller.tenantId, userId };
    const ended = isHome
      ? (await endAllSessions(tx, person)).endedAtHome
      : await endSessionsHere(tx, person);
    if (ended === 0 && !isHome) return;
    const changes = { sessions: { before: ended, after: 0 } };
    await record(tx, actingAs(caller), {
      action: "user.sessions-ended",
      target: auditTarget(target),
      changes,
    });
  });
}
