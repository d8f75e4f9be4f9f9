import { and, eq } from "drizzle-orm";
import { changingAccess } from "@/lib/access/access-versions";
import type { Origin } from "@/lib/access/caller";
import { hashPassword } from "@/lib/access/hashing";
import { checkNewPassword } from "@/lib/access/passwords";
import { newLinkToken, sha256 } from "@/lib/access/secrets";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { passwordLinks, sessions, users } from "@/lib/database/schema/schema";
import { record } from "@/lib/features/audit/service";
import { ApiError } from "@/lib/protocol/errors";
import { publicUrl } from "@/lib/protocol/public-url";

type Purpose = "invitation" | "reset";

const hours: Record<Purpose, number> = { invitation: 7 * 24, reset: 24 };
const pages: Record<Purpose, string> = { invitation: "invite", reset: "reset-password" };

/** Makes the one link of a user that counts: an earlier one is void. The token is readable only here. */
export async function issueLink(
  tx: Transaction,
  tenantId: string,
  userId: string,
  purpose: Purpose,
) {
  const token = newLinkToken();
  const expiresAt = new Date(Date.now() + hours[purpose] * 3_600_000);
  const fresh = { tokenHash: sha256(token), purpose, expiresAt };
  await tx
    .insert(passwordLinks)
    .values({ tenantId, userId, ...fresh })
    .onConflictDoUpdate({ target: [passwordLinks.tenantId, passwordLinks.userId], set: fresh });
  const url = `${publicUrl()}/${pages[purpose]}/${tenantId}#token=${token}`;
  return { id: userId, url, token, expiresAt: expiresAt.toISOString() };
}

const unusable = () =>
  new ApiError(
    "auth.link-invalid",
    "This link is not valid, or was used already. Ask an administrator for a new one.",
    undefined,
    {
      headers: { "WWW-Authenticate": 'Session realm="gatehouse"' },
    },
  );

async function findLink(tx: Executor, tenantId: string, token: string, purpose: Purpose) {
  const [found] = await tx
    .select({
      userId: users.userId,
      login: users.login,
      name: users.name,
      state: users.state,
      expiresAt: passwordLinks.expiresAt,
    })
    .from(passwordLinks)
    .innerJoin(users, and(eq(users.tenantId, tenantId), eq(users.userId, passwordLinks.userId)))
    .where(
      and(
        eq(passwordLinks.tenantId, tenantId),
        eq(passwordLinks.tokenHash, sha256(token)),
        eq(passwordLinks.purpose, purpose),
      ),
    );
  if (!found) throw unusable();
  const { expiresAt } = found;
  if (expiresAt <= new Date()) {
    const detail = "This link has expired. Ask an administrator for a new one.";
    throw new ApiError("auth.link-expired", detail, expiresAt.toISOString(), {
      headers: { "WWW-Authenticate": 'Session realm="gatehouse", error="invalid_token"' },
    });
  }
  if (found.state === "deactivated")
    throw new ApiError(
      "user.deactivated",
      "This user is deactivated. Ask an administrator.",
      "user.manage",
    );
  return found;
}

/**
 * Sets a password by a link, once. Every session of the user ends. Throws 401 for a token that is unknown or used, 403 for an
 * expired one, 400 for a password that will not do: the link stays good then.
 */
export async function redeemLink(
  tenantId: string,
  given: { token: string; password: string },
  purpose: Purpose,
  origin: Origin,
) {
  const { userId, login, name } = await findLink(db(), tenantId, given.token, purpose);
  checkNewPassword("management", given.password, login);
  const passwordHash = await hashPassword("management", given.password);
  await changingAccess(tenantId, async (tx) => {
    await findLink(tx, tenantId, given.token, purpose);
    await tx
      .delete(passwordLinks)
      .where(and(eq(passwordLinks.tenantId, tenantId), eq(passwordLinks.userId, userId)));
    await tx
      .update(users)
      .set({ passwordHash, mustChangePassword: false, passwordExpiresAt: null, state: "active" })
      .where(and(eq(users.tenantId, tenantId), eq(users.userId, userId)));
    await tx
      .delete(sessions)
      .where(and(eq(sessions.tenantId, tenantId), eq(sessions.userId, userId)));
    const acting = { tenantId, actor: { type: "user" as const, id: userId, login }, ...origin };
    const action =
      purpose === "invitation" ? "user.invitation-accepted" : "user.password-reset-confirmed";
    await record(tx, acting, { action, target: { type: "user", id: userId, name: login } });
  });
  return { id: userId, tenant: tenantId, login, name };
}
