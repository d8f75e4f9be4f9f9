import type { z } from "zod";
import { forgetAccess, lockTenant } from "@/lib/access/access-versions";
import { type Origin, rolesAtSite, type TenantRoles } from "@/lib/access/caller";
import { hashPassword, matchPassword, type PasswordMatch } from "@/lib/access/hashing";
import { lifetimeSeconds } from "@/lib/access/lifetimes";
import { newSessionId, sha256 } from "@/lib/access/secrets";
import { tryPassword } from "@/lib/access/throttle";
import { newId } from "@/lib/database/ids";
import { type Transaction, transaction } from "@/lib/database/open";
import { type Acting, record } from "@/lib/features/audit/service";
import { securityPolicy } from "@/lib/features/tenants/service";
import { findLoginCandidate, type LoginCandidate } from "@/lib/features/users/login-candidate";
import { syncMembership } from "@/lib/features/users/memberships";
import { noteSignIn, renewPasswordHash } from "@/lib/features/users/rows";
import { challenge } from "@/lib/protocol/challenges";
import { ApiError } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import type { SessionLogin } from "./contract";
import { endOldestSessions } from "./end-oldest";
import { noteFailedLogin } from "./failed-logins";
import { insertSessionRow } from "./rows";

/** Throws 403 for a user with the right password who may not sign in. */
export function assertMaySignIn(candidate: LoginCandidate): void {
  if (candidate.state === "deactivated")
    throw new ApiError(
      "user.deactivated",
      "This user is deactivated. Ask an administrator.",
      candidate.userId,
    );
  if (candidate.isLocked)
    throw new ApiError(
      "user.locked",
      "This user is locked. Ask an administrator.",
      candidate.userId,
    );
  const { passwordExpiresAt } = candidate;
  if (passwordExpiresAt && passwordExpiresAt <= new Date()) {
    const detail = "The one-time password has expired. Ask an administrator for a new one.";
    throw new ApiError("auth.password-expired", detail, passwordExpiresAt.toISOString());
  }
  const hasRole =
    candidate.roles.roleIds.length > 0 || Object.keys(candidate.roles.sites).length > 0;
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

const loginFailed = () =>
  new ApiError(
    "auth.login-failed",
    "The tenant, the login or the password is not right.",
    undefined,
    {
      headers: challenge("Session"),
    },
  );

/** What a new session takes over from the session that opens it by a switch. */
export interface ParentSession {
  tenantId: string;
  sessionRef: string;
  authenticatedAt: Date;
  authenticatedBy: string;
  expiresAt: Date;
  credentialEpoch: number;
}

interface SessionOptions {
  siteId?: string | undefined;
  parent?: ParentSession;
}

/** How long a session lives: a switch extends neither the parent's end nor the tenant's own absolute lifetime. */
async function lifetimeIn(tenantId: string, now: Date, parent: ParentSession | undefined) {
  const policy = await securityPolicy(tenantId);
  const authenticatedAt = parent?.authenticatedAt ?? now;
  const absoluteMs = (policy.sessionAbsoluteSeconds ?? lifetimeSeconds("SESSION_ABSOLUTE")) * 1000;
  const end = Math.min(
    authenticatedAt.getTime() + absoluteMs,
    parent?.expiresAt.getTime() ?? Number.POSITIVE_INFINITY,
  );
  const expiresAt = new Date(end);
  if (expiresAt <= now) {
    const detail = `The sign-in is too old for the tenant "${tenantId}". Sign in there with the password.`;
    throw new ApiError("auth.credentials-expired", detail, expiresAt.toISOString());
  }
  return {
    authenticatedAt,
    expiresAt,
    idleSeconds: policy.sessionIdleSeconds ?? lifetimeSeconds("SESSION_IDLE"),
  };
}

interface OpenedSession {
  sessionRef: string;
  parent: ParentSession | undefined;
}

function recordOpening(
  tx: Transaction,
  acting: Acting,
  { sessionRef, parent }: OpenedSession,
): Promise<void> {
  return record(tx, acting, {
    action: "session.created",
    target: { type: "session", id: sessionRef },
    changes: parent ? { parent: { after: parent.sessionRef } } : {},
  });
}

/**
 * Opens a session for a user whose identity and roles have been checked. The session id is readable only here.
 * The session gets the credential epoch that was read with the password hash (or the parent's): if the password is replaced
 * while it is being checked, the session is rejected in every tenant. At home this already throws 401.
 */
export async function openSession(
  tenantId: string,
  who: Pick<
    LoginCandidate,
    "userId" | "login" | "homeTenantId" | "isStale" | "passwordHash" | "credentialEpoch"
  >,
  { siteId, parent }: SessionOptions,
  origin: Origin,
): Promise<{ sessionId: string; sessionRef: string }> {
  if (who.isStale) await syncMembership(tenantId, who);
  const sessionId = newSessionId();
  const sessionRef = newId("sess");
  const now = new Date();
  const credentialEpoch = parent?.credentialEpoch ?? who.credentialEpoch;
  const lifetime = await lifetimeIn(tenantId, now, parent);
  const isAnyEnded = await transaction(async (tx) => {
    await lockTenant(tx, tenantId);
    const user = await noteSignIn(tx, { tenantId, userId: who.userId }, { now, parent });
    const isHome = who.homeTenantId === tenantId;
    if (
      isHome &&
      (user?.passwordHash !== who.passwordHash || user.credentialEpoch > credentialEpoch)
    )
      throw loginFailed();
    await insertSessionRow(tx, {
      tenantId,
      sessionRef,
      secretHash: sha256(sessionId),
      userId: who.userId,
      siteId: siteId ?? "",
      createdAt: now,
      lastSeenAt: now,
      ...lifetime,
      address: origin.address,
      agent: origin.agent,
      credentialEpoch,
      authenticatedBy: parent?.authenticatedBy ?? "password",
      parentTenantId: parent?.tenantId,
      parentRef: parent?.sessionRef,
    });
    const actor = { type: "user" as const, id: who.userId, login: who.login };
    const acting = { tenantId, actor, ...origin };
    await recordOpening(tx, acting, { sessionRef, parent });
    return endOldestSessions(tx, acting, who.userId);
  });
  if (isAnyEnded) forgetAccess(tenantId);
  return { sessionId, sessionRef };
}

/**
 * The person with a hash of the password in NFC. While too many passwords are being hashed, the former stays until the next sign-in.
 * Where somebody else has replaced it meanwhile, the password is checked against what it is now.
 */
async function withNewHash(
  candidate: LoginCandidate,
  { tenantId, loginKey, password }: { tenantId: string; loginKey: string; password: string },
): Promise<LoginCandidate> {
  const { homeTenantId, userId, passwordHash: former } = candidate;
  const passwordHash = await hashPassword({ plane: "management", tenantId }, password).catch(
    () => undefined,
  );
  if (former === null || passwordHash === undefined) return candidate;
  const person = { tenantId: homeTenantId, userId };
  if (await renewPasswordHash(person, { former, passwordHash }))
    return { ...candidate, passwordHash };
  const now = await findLoginCandidate(tenantId, loginKey);
  const match =
    now && (await matchPassword({ plane: "management", tenantId }, now.passwordHash, password));
  if (now && match !== "none") return now;
  throw loginFailed();
}

/**
 * Obtains a session for a login and password. 401 is the same, in answer and time, for an unknown tenant or login, a wrong
 * password and an invited user; only a right password learns why it is rejected (403). 429 while earlier failures make it wait.
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
  const loginKey = labelKey(given);
  const who = { tenantId, plane: "management" as const, loginKey, address: origin.address };
  let candidate: LoginCandidate | undefined;
  let match = "none" as PasswordMatch;
  const isRight = await tryPassword(who, async () => {
    candidate = await findLoginCandidate(tenantId, loginKey);
    match = await matchPassword(who, candidate?.passwordHash, password);
    return match !== "none" && candidate !== undefined && candidate.state !== "invited";
  });
  if (!isRight || !candidate) {
    noteFailedLogin(
      tenantId,
      candidate && { userId: candidate.userId, login: candidate.login },
      origin,
    );
    throw loginFailed();
  }
  assertMaySignIn(candidate);
  checkSite(candidate.siteIds, candidate.roles, site);
  const current =
    match === "as typed"
      ? await withNewHash(candidate, { tenantId, loginKey, password })
      : candidate;
  const { sessionId } = await openSession(tenantId, current, { siteId: site }, origin);
  return { sessionId };
}
