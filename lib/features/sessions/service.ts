import { and, eq, ne } from "drizzle-orm";
import type { z } from "zod";
import { changingAccess } from "@/lib/access/access-versions";
import { type Caller, demand, effectivePermissions } from "@/lib/access/caller";
import { hashPassword, verifyPassword } from "@/lib/access/hashing";
import { lastNoted } from "@/lib/access/last-used";
import { issueManagementBearer } from "@/lib/access/management-bearer";
import { checkNewPassword } from "@/lib/access/passwords";
import { checkThrottle, noteFailure } from "@/lib/access/throttle";
import { db } from "@/lib/database/open";
import { sessions, users } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { type Page, pageOf } from "@/lib/protocol/paging";
import type { ChangePassword, CurrentSession, listSessions as listOwn, Session } from "./contract";

type Row = typeof sessions.$inferSelect;
export type Asked = z.output<NonNullable<typeof listOwn.query>>;

const mine = (caller: Caller) =>
  and(eq(sessions.tenantId, caller.tenantId), eq(sessions.userId, caller.userId));

/** Who is calling and what they may do, from the credential alone: nothing is read. */
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

/** A session as its owner and managers see it. */
export function sessionAnswer(row: Row, caller: Caller): Session {
  const lastSeen = Math.max(row.lastSeenAt.getTime(), lastNoted(row.sessionRef));
  return {
    ref: row.sessionRef,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: new Date(lastSeen).toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    idleExpiresAt: new Date(lastSeen + row.idleSeconds * 1000).toISOString(),
    address: row.address,
    agent: row.agent,
    ...(row.siteId === "" ? {} : { site: row.siteId }),
    current: row.sessionRef === caller.credentialId,
  };
}

/** The living sessions among the rows of one user, newest first. */
export function sessionPage(rows: Row[], caller: Caller, asked: Asked): Page<Session> {
  const now = new Date().toISOString();
  const answers = rows
    .map((row) => sessionAnswer(row, caller))
    .filter((session) => session.expiresAt > now && session.idleExpiresAt > now);
  return pageOf(answers, asked, ({ createdAt, ref }) => `${createdAt} ${ref}`);
}

/** One's own living sessions in this tenant, newest first; at most 20 by construction. */
export async function listSessions(caller: Caller, asked: Asked): Promise<Page<Session>> {
  return sessionPage(await db().select().from(sessions).where(mine(caller)), caller, asked);
}

/** Ends one of one's own sessions. Throws 404. */
export async function endSession(caller: Caller, ref: string): Promise<void> {
  await changingAccess(caller.tenantId, async (tx) => {
    const ended = await tx
      .delete(sessions)
      .where(and(mine(caller), eq(sessions.sessionRef, ref)))
      .returning({ ref: sessions.sessionRef });
    if (ended.length === 0)
      throw new ApiError("session.not-found", "You have no such session. It may have ended.");
    await record(tx, actingAs(caller), {
      action: "session.ended",
      target: { type: "session", id: ref },
    });
  });
}

export async function endCurrentSession(caller: Caller): Promise<void> {
  await endSession(caller, caller.credentialId);
}

export async function createPortalToken(caller: Caller) {
  demand(caller, "any-role");
  return issueManagementBearer(caller);
}

/** Sets one's own password and ends one's other sessions in this tenant. Only in the home tenant: the person lives there. */
export async function changePassword(
  caller: Caller,
  { current, password }: z.output<typeof ChangePassword>,
): Promise<void> {
  const { tenantId, userId, homeTenantId, login } = caller;
  if (homeTenantId !== tenantId)
    throw new ApiError(
      "user.other-home",
      `Change the password in your home tenant ${homeTenantId}.`,
      homeTenantId,
    );
  const loginKey = labelKey(login);
  await checkThrottle(tenantId, loginKey, caller.address);
  const self = and(eq(users.tenantId, tenantId), eq(users.userId, userId));
  const [before] = await db().select({ hash: users.passwordHash }).from(users).where(self);
  if (!(await verifyPassword("management", before?.hash, current))) {
    await noteFailure(tenantId, loginKey, caller.address);
    throw invalid([{ pointer: "/current", detail: "The current password is not right." }]);
  }
  checkNewPassword("management", password, login);
  if (password === current)
    throw invalid(
      [{ pointer: "/password", detail: "The new password must differ from the current one." }],
      "password.unsuitable",
    );
  const passwordHash = await hashPassword("management", password);
  await changingAccess(tenantId, async (tx) => {
    await tx
      .update(users)
      .set({ passwordHash, mustChangePassword: false, passwordExpiresAt: null })
      .where(self);
    await tx
      .delete(sessions)
      .where(and(mine(caller), ne(sessions.sessionRef, caller.credentialId)));
    await record(tx, actingAs(caller), {
      action: "user.password-changed",
      target: { type: "user", id: userId, name: login },
    });
  });
}
