import { forgetAccess, lockTenant, raiseAccessVersion } from "@/lib/access/access-versions";
import type { Origin } from "@/lib/access/caller";
import { lifetimeSeconds } from "@/lib/access/lifetimes";
import { newSessionId, sha256 } from "@/lib/access/secrets";
import { newId } from "@/lib/database/ids";
import { type Transaction, transaction } from "@/lib/database/open";
import { type Acting, record } from "@/lib/features/audit/service";
import { securityPolicy } from "@/lib/features/tenants/policy";
import { recordEmergencySignIn } from "@/lib/features/users/emergency-administrators";
import type { LoginCandidate } from "@/lib/features/users/login-candidate";
import { syncMembership } from "@/lib/features/users/memberships";
import { noteSignIn, type UserRow } from "@/lib/features/users/rows";
import { ApiError } from "@/lib/protocol/errors";
import { challenge } from "@/lib/protocol/http-fields";
import { deleteOldestRows, insertSessionRow } from "./rows";

const maxSessionsPerUser = 20;

/** Ends the oldest sessions of a user past the maximum, each with its audit entry. True when any ended. */
async function endOldestSessions(
  tx: Transaction,
  acting: Acting,
  userId: string,
): Promise<boolean> {
  const { tenantId } = acting;
  const refs = await deleteOldestRows(tx, { tenantId, userId }, maxSessionsPerUser);
  for (const id of refs)
    await record(tx, acting, { action: "session.ended", target: { type: "session", id } });
  if (refs.length > 0) await raiseAccessVersion(tx, tenantId);
  return refs.length > 0;
}

export const loginFailed = () =>
  new ApiError(
    "auth.login-failed",
    "The tenant, the login or the password is not right.",
    undefined,
    {
      headers: challenge("Session"),
    },
  );

/** The properties that a new session inherits from the session that opens it by a switch. */
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
  /** The methods of authentication, separated by spaces. */
  authenticatedBy?: string;
  /** The connection that opens the session, and the provider's identifiers of its session. */
  connectionId?: string;
  identityId?: string;
  providerSidHash?: Buffer | undefined;
  /** Only an exception of the policy accepts the password. */
  isException?: boolean;
  /** Consumes, in the same transaction, the credential that opens the session; throws if it was already used. */
  useUp?: (tx: Transaction) => Promise<void>;
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
  authenticatedBy: string;
}

function recordOpening(
  tx: Transaction,
  acting: Acting,
  { sessionRef, parent, authenticatedBy }: OpenedSession,
): Promise<void> {
  return record(tx, acting, {
    action: "session.created",
    target: { type: "session", id: sessionRef },
    changes: {
      ...(parent && { parent: { after: parent.sessionRef } }),
      ...(authenticatedBy !== "password" && { authenticatedBy: { after: authenticatedBy } }),
    },
  });
}

/** Throws 401 if the password or the credential epoch was replaced in the home tenant since it was read. */
function assertUnchanged(
  tenantId: string,
  who: Pick<LoginCandidate, "homeTenantId" | "passwordHash">,
  user: Pick<UserRow, "passwordHash" | "credentialEpoch"> | undefined,
  credentialEpoch: number,
): void {
  if (who.homeTenantId !== tenantId) return;
  if (user?.passwordHash !== who.passwordHash || user.credentialEpoch > credentialEpoch)
    throw loginFailed();
}

/**
 * Opens a session for a user whose identity and roles have been checked. Only this result has the session id.
 * The session gets the credential epoch that was read with the password hash (or the parent's): if the password is replaced
 * while it is being checked, the session is rejected in every tenant. In the home tenant this already throws 401.
 */
export async function openSession(
  tenantId: string,
  who: Pick<
    LoginCandidate,
    "userId" | "login" | "homeTenantId" | "isStale" | "passwordHash" | "credentialEpoch"
  >,
  { siteId, parent, useUp, ...options }: SessionOptions,
  origin: Origin,
): Promise<{ sessionId: string; sessionRef: string }> {
  if (who.isStale) await syncMembership(tenantId, who);
  const [sessionId, sessionRef] = [newSessionId(), newId("sess")];
  const now = new Date();
  const credentialEpoch = parent?.credentialEpoch ?? who.credentialEpoch;
  const lifetime = await lifetimeIn(tenantId, now, parent);
  const authenticatedBy = parent?.authenticatedBy ?? options.authenticatedBy ?? "password";
  const isAnyEnded = await transaction(async (tx) => {
    await lockTenant(tx, tenantId);
    await useUp?.(tx);
    const how = { now, parent, authenticatedBy };
    const user = await noteSignIn(tx, { tenantId, userId: who.userId }, how);
    assertUnchanged(tenantId, who, user, credentialEpoch);
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
      authenticatedBy,
      connectionId: options.connectionId,
      identityId: options.identityId,
      providerSidHash: options.providerSidHash,
      parentTenantId: parent?.tenantId,
      parentRef: parent?.sessionRef,
    });
    const actor = { type: "user" as const, id: who.userId, login: who.login };
    const acting = { tenantId, actor, ...origin };
    await recordOpening(tx, acting, { sessionRef, parent, authenticatedBy });
    if (options.isException) await recordEmergencySignIn(tx, acting);
    return endOldestSessions(tx, acting, who.userId);
  });
  if (isAnyEnded) forgetAccess(tenantId);
  return { sessionId, sessionRef };
}
