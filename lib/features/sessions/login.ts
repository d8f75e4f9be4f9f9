import type { z } from "zod";
import { type Origin, rolesAtSite, type TenantRoles } from "@/lib/access/caller";
import { hashPassword, matchPassword, type PasswordMatch } from "@/lib/access/hashing";
import { tryPassword } from "@/lib/access/throttle";
import { findLoginCandidate, type LoginCandidate } from "@/lib/features/users/login-candidate";
import { renewPasswordHash } from "@/lib/features/users/rows";
import { ApiError } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { assertMethodAccepted, mustSetUp } from "./accepted-methods";
import { createChallenge } from "./challenge-rows";
import type { SessionLogin } from "./contract";
import { noteFailedLogin } from "./failed-logins";
import { loginFailed, openSession } from "./open-session";

/** Throws 403 for a user with the correct password who may not sign in. */
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

/** Throws 400 for a site that the tenant does not have, and 403 for one where the user has no role. */
export function checkSite(
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

/**
 * The user with a hash of the password in NFC. While too many passwords are being hashed, the old hash remains until the next
 * sign-in. If another request has replaced the hash in between, the password is checked against the new one.
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

/** Throws 400 if header and body name different tenants. */
export function assertTenant(tenantId: string, tenant: string): void {
  if (tenant === tenantId) return;
  throw new ApiError(
    "tenant.mismatch",
    "The tenant in the body is not the one in X-Service-Tenant.",
    "/tenant",
  );
}

/**
 * Obtains a session for a login and password. 401 is the same, in body and timing, for an unknown tenant or login, a wrong password and an
 * invited user; only a correct password gets the reason (403), or that it is not enough. 429 while earlier failures require a wait.
 */
export async function login(
  tenantId: string,
  { login: given, password, tenant, site }: z.output<typeof SessionLogin>,
  origin: Origin,
) {
  assertTenant(tenantId, tenant);
  const loginKey = labelKey(given);
  const who = { tenantId, plane: "management" as const, loginKey, address: origin.address };
  let candidate: LoginCandidate | undefined;
  let match = "none" as PasswordMatch;
  const check = async () => {
    candidate = await findLoginCandidate(tenantId, loginKey);
    match = await matchPassword(who, candidate?.passwordHash, password);
    return match !== "none" && candidate !== undefined && candidate.state !== "invited";
  };
  const isRight = await tryPassword(who, check, () => candidate?.hasSecondFactor === false);
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
  const isException = await assertMethodAccepted(tenantId, candidate, "password");
  const current =
    match === "as typed"
      ? await withNewHash(candidate, { tenantId, loginKey, password })
      : candidate;
  if (current.hasSecondFactor || (await mustSetUp(tenantId, current)))
    throw await createChallenge(tenantId, current, site, origin);
  const { sessionId } = await openSession(tenantId, current, { siteId: site, isException }, origin);
  return { sessionId };
}
