import { withAccessChange } from "@/lib/access/access-versions";
import { endAllSessions } from "@/lib/access/end-sessions";
import { hashPassword } from "@/lib/access/hashing";
import { newOneTimePassword } from "@/lib/access/passwords";
import { type Acting, record } from "@/lib/features/audit/service";
import { ApiError } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { voidLinks } from "./password-links";
import { findPersonByLogin, updateUserRow } from "./rows";

const oneTimeMilliseconds = 24 * 3600 * 1000;

/** The result of a reset, the only place with the password. */
export interface PasswordReset {
  userId: string;
  login: string;
  password: string;
  expiresAt: Date;
  /** Unlocked, so that the user can sign in again. */
  wasLocked: boolean;
  wasInactive: boolean;
}

async function findUser(tenantId: string, login: string) {
  const user = await findPersonByLogin(tenantId, labelKey(login));
  if (!user)
    throw new ApiError(
      "user.not-found",
      `The tenant "${tenantId}" has nobody with the login "${login}".`,
    );
  if (user.homeTenantId !== tenantId)
    throw new ApiError(
      "user.other-home",
      `The password of "${login}" is kept in the tenant "${user.homeTenantId}".`,
      user.homeTenantId,
    );
  return user;
}

/**
 * For the operator of the server: gives a user of the tenant a one-time password for 24 hours, unlocks and activates the user, ends the
 * user's sessions in every tenant and revokes reset links. Overrides a concurrent password change. Throws 404 for an unknown login and 403
 * for a user of another home tenant.
 */
export async function resetPassword(acting: Acting, login: string): Promise<PasswordReset> {
  const { tenantId } = acting;
  const user = await findUser(tenantId, login);
  const { userId, isLocked: wasLocked } = user;
  const wasInactive = user.state !== "active";
  const password = newOneTimePassword();
  const passwordHash = await hashPassword({ plane: "management", tenantId }, password);
  const expiresAt = new Date(Date.now() + oneTimeMilliseconds);
  await withAccessChange(tenantId, async (tx) => {
    const unlocked = {
      state: "active",
      isLocked: false,
      lockReason: null,
      lockedUntil: null,
    } as const;
    const newPassword = { passwordHash, mustChangePassword: true, passwordExpiresAt: expiresAt };
    await updateUserRow(tx, { tenantId, userId }, { ...newPassword, ...unlocked });
    await voidLinks(tx, { tenantId, userId }, "state");
    await endAllSessions(tx, { tenantId, userId });
    const changes = {
      ...(wasLocked && { lock: { before: true, after: false } }),
      ...(wasInactive && { state: { before: user.state, after: "active" } }),
    };
    await record(tx, acting, {
      action: "user.password-reset",
      target: { type: "user", id: userId, name: user.login },
      changes,
    });
  });
  return { userId, login: user.login, password, expiresAt, wasLocked, wasInactive };
}
