import { and, desc, eq, inArray } from "drizzle-orm";
import type { z } from "zod";
import { forgetAccess, raiseAccessVersion } from "@/lib/access/access-versions";
import { type Origin, rolesAtSite, type TenantRoles } from "@/lib/access/caller";
import { verifyPassword } from "@/lib/access/hashing";
import { lifetimeSeconds } from "@/lib/access/lifetimes";
import { newSessionId, sha256 } from "@/lib/access/secrets";
import { checkThrottle, clearFailures, noteFailure } from "@/lib/access/throttle";
import { newId } from "@/lib/database/ids";
import { type Transaction, transaction } from "@/lib/database/open";
import { sessions, users } from "@/lib/database/schema/schema";
import { record } from "@/lib/features/audit/service";
import { securityPolicy } from "@/lib/features/tenants/service";
import { refreshCopy } from "@/lib/features/users/memberships";
import { ApiError } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import type { SessionLogin } from "./contract";
import { noteFailedLogin } from "./failed-logins";
import { type Entrant, findEntrant } from "./login-candidate";

const mostSessions = 20;

/** Why somebody whose identity is proven may not come in: 403. */
export function judge(entrant: Entrant): void {
  if (entrant.state === "deactivated")
    throw new ApiError(
      "user.deactivated",
      "This user is deactivated. Ask an administrator.",
      "user.manage",
    );
  if (entrant.isLocked)
    throw new ApiError("user.locked", "This user is locked. Ask an administrator.", "user.manage");
  const { passwordExpiresAt } = entrant;
  if (passwordExpiresAt && passwordExpiresAt <= new Date()) {
    const detail = "The one-time password has expired. Ask an administrator for a new one.";
    throw new ApiError("auth.password-expired", detail, passwordExpiresAt.toISOString());
  }
  const hasRole = entrant.roles.roleIds.length > 0 || Object.keys(entrant.roles.sites).length > 0;
  if (!hasRole)
    throw new ApiError(
      "user.no-role",
      "You have no role in this tenant. Ask an administrator.",
      "portal.default",
    );
}

function checkSite(
  siteIds: ReadonlySet<string>,
  roles: TenantRoles,
  site: string | undefined,
): void {
  if (site === undefined) return;
  if (!siteIds.has(site))
    throw new ApiError("site.unknown", `The tenant has no site "${site}".`, "/site");
  const hasRole = roles.roleIds.length > 0 || rolesAtSite(roles, site) !== undefined;
  if (!hasRole)
    throw new ApiError("user.no-role", `You have no role at the site "${site}".`, "portal.default");
}

const refused = () =>
  new ApiError(
    "auth.login-failed",
    "The tenant, the login or the password is not right.",
    undefined,
    {
      headers: { "WWW-Authenticate": 'Session realm="gatehouse"' },
    },
  );

/** Ends the oldest sessions of a user past the most that one may have. True when any ended. */
async function endOldest(tx: Transaction, tenantId: string, userId: string): Promise<boolean> {
  const mine = and(eq(sessions.tenantId, tenantId), eq(sessions.userId, userId));
  const oldest = await tx
    .select({ ref: sessions.sessionRef })
    .from(sessions)
    .where(mine)
    .orderBy(desc(sessions.createdAt), desc(sessions.sessionRef))
    .offset(mostSessions);
  if (oldest.length === 0) return false;
  await tx.delete(sessions).where(
    and(
      mine,
      inArray(
        sessions.sessionRef,
        oldest.map((one) => one.ref),
      ),
    ),
  );
  await raiseAccessVersion(tx, tenantId);
  return true;
}

/**
 * Opens a session for somebody whose right to it is settled. The answer is the only place where its id can be read.
 * Throws 401 when the password, whose check takes a while, was replaced meanwhile: its sessions have ended by then.
 */
export async function openSession(
  tenantId: string,
  who: Pick<Entrant, "userId" | "login" | "homeTenantId" | "isStale" | "passwordHash">,
  siteId: string | undefined,
  origin: Origin,
): Promise<string> {
  if (who.isStale) await refreshCopy(tenantId, who);
  const policy = await securityPolicy(tenantId);
  const sessionId = newSessionId();
  const sessionRef = newId("sess");
  const now = new Date();
  const idleSeconds = policy.sessionIdleSeconds ?? lifetimeSeconds("SESSION_IDLE");
  const expiresAt = new Date(
    now.getTime() + (policy.sessionAbsoluteSeconds ?? lifetimeSeconds("SESSION_ABSOLUTE")) * 1000,
  );
  const isAnyEnded = await transaction(async (tx) => {
    const [user] = await tx
      .update(users)
      .set({ lastLoginAt: now })
      .where(and(eq(users.tenantId, tenantId), eq(users.userId, who.userId)))
      .returning({ passwordHash: users.passwordHash });
    if (who.homeTenantId === tenantId && user?.passwordHash !== who.passwordHash) throw refused();
    const { address, agent } = origin;
    await tx.insert(sessions).values({
      tenantId,
      sessionRef,
      secretHash: sha256(sessionId),
      userId: who.userId,
      siteId: siteId ?? "",
      createdAt: now,
      lastSeenAt: now,
      idleSeconds,
      expiresAt,
      address,
      agent,
    });
    const acting = {
      tenantId,
      actor: { type: "user" as const, id: who.userId, login: who.login },
      ...origin,
    };
    await record(tx, acting, {
      action: "session.created",
      target: { type: "session", id: sessionRef },
    });
    return endOldest(tx, tenantId, who.userId);
  });
  if (isAnyEnded) forgetAccess(tenantId);
  return sessionId;
}

/**
 * Obtains a session for a login and password. 401 is the same, in answer and time, for an unknown tenant or login, a wrong
 * password and an invited user; only a right password learns why it is refused (403). 429 while earlier failures make it wait.
 */
export async function login(
  tenantId: string,
  { login: given, password, tenant, site }: z.output<typeof SessionLogin>,
  origin: Origin,
) {
  if (tenant !== tenantId)
    throw new ApiError(
      "tenant.mismatch",
      "The tenant in the body is not the one in X-Service-Tenant.",
      "/tenant",
    );
  const loginKey = labelKey(given.trim().normalize("NFC"));
  await checkThrottle(tenantId, loginKey, origin.address);
  const entrant = await findEntrant(tenantId, loginKey);
  const isRight = await verifyPassword("management", entrant?.passwordHash, password);
  if (!isRight || !entrant || entrant.state === "invited") {
    await noteFailure(tenantId, loginKey, origin.address);
    noteFailedLogin(tenantId, entrant && { userId: entrant.userId, login: entrant.login }, origin);
    throw refused();
  }
  await clearFailures(tenantId, loginKey, origin.address);
  judge(entrant);
  checkSite(entrant.siteIds, entrant.roles, site);
  return { sessionId: await openSession(tenantId, entrant, site, origin) };
}
