import { withAccessChange } from "@/lib/access/access-versions";
import type { Caller, Origin } from "@/lib/access/caller";
import { endAllSessions } from "@/lib/access/end-sessions";
import { hashPassword } from "@/lib/access/hashing";
import { assertPasswordSuitable } from "@/lib/access/passwords";
import { newLinkToken, sha256 } from "@/lib/access/secrets";
import { db, type Executor, type Transaction } from "@/lib/database/open";
import { record } from "@/lib/features/audit/service";
import { assertQuota } from "@/lib/features/quotas/quotas";
import { ApiError } from "@/lib/protocol/errors";
import { challenge } from "@/lib/protocol/http-fields";
import { publicUrl } from "@/lib/protocol/settings";
import { isPasswordAccepted, passwordNotAccepted } from "./emergency-administrators";
import {
  assertStillIssuable,
  type IssuedBy,
  type Issuer,
  issuerOf,
  voidLinkError,
} from "./link-issuer";
import {
  deleteLinks,
  findLinkRow,
  selfIssued,
  setVoidCause,
  upsertLink,
  upsertMailedLink,
  type VoidCause,
} from "./password-link-rows";
import { type UserKey, updateUserRow } from "./rows";

type Purpose = "invitation" | "reset";

const lifetimeHours: Record<Purpose, number> = { invitation: 7 * 24, reset: 24 };
const pages: Record<Purpose, string> = { invitation: "invite", reset: "reset-password" };

/** Issues a link that replaces the user's earlier one. Only this result has the token; the caller is stored as its issuer. */
export const issueLink = (
  tx: Transaction,
  caller: Caller,
  user: UserKey,
  { purpose, issuedBy }: { purpose: Purpose; issuedBy: IssuedBy },
) =>
  writeLink(tx, user, {
    ...issuerOf(caller, issuedBy),
    purpose,
    expiresAt: new Date(Date.now() + lifetimeHours[purpose] * 3_600_000),
  });

/** Stores a link, replacing the user's earlier one, and counts it against the tenant's quota. */
async function writeLink(
  tx: Transaction,
  user: UserKey,
  link: Issuer & { purpose: Purpose; expiresAt: Date },
) {
  const { purpose, expiresAt } = link;
  const token = newLinkToken();
  await upsertLink(tx, user, { ...link, tokenHash: sha256(token), voidCause: null });
  await assertQuota(tx, user.tenantId, "links");
  return shownLink(user, { token, purpose, expiresAt });
}

const shownLink = (
  { tenantId, userId }: UserKey,
  { token, purpose, expiresAt }: { token: string; purpose: Purpose; expiresAt: Date },
) => ({
  ...{ id: userId, token, expiresAt: expiresAt.toISOString() },
  url: `${publicUrl()}/${pages[purpose]}/${tenantId}#token=${token}`,
});

/** Issues the link that is mailed to a user who requested it. A link issued by an administrator is not affected. */
export async function issueMailedLink(tx: Transaction, user: UserKey, expiresAt: Date) {
  const token = newLinkToken();
  await upsertMailedLink(tx, user, { tokenHash: sha256(token), expiresAt });
  await assertQuota(tx, user.tenantId, "links");
  return shownLink(user, { token, purpose: "reset", expiresAt });
}

/**
 * Marks the user's links void. Call it in the transaction of the change, in the home tenant.
 * Cause `password` never overwrites an earlier cause, because a redemption ignores that one cause.
 */
export async function voidLinks(
  tx: Transaction,
  { tenantId, userId }: UserKey,
  cause: VoidCause,
): Promise<void> {
  await setVoidCause(tx, { tenantId, userId }, { cause, unlessVoid: cause === "password" });
}

const invalidLinkError = () =>
  new ApiError(
    "auth.link-invalid",
    "This link is not valid, or was used already. Ask an administrator for a new one.",
    undefined,
    {
      headers: challenge("Session"),
    },
  );

async function getLink(tx: Executor, tenantId: string, token: string, purpose: Purpose) {
  const found = await findLinkRow(tx, tenantId, { tokenHash: sha256(token), purpose });
  if (!found) throw invalidLinkError();
  return found;
}

/** A change of the address voids the link, which was mailed to the current address. */
const addressFollowed = ({ emailAddress }: LinkWithUser) => ({
  usedEmail: emailAddress,
  confirmedEmail: emailAddress,
});

type LinkWithUser = Awaited<ReturnType<typeof getLink>>;

/** Throws for a link that cannot be redeemed now; `toleratedCause` is a void cause to ignore. */
async function assertRedeemable(
  tx: Executor,
  found: LinkWithUser,
  origin: Origin,
  toleratedCause?: VoidCause,
): Promise<void> {
  const { link, state, emailAddress, usedEmail } = found;
  const { expiresAt, voidCause } = link;
  if (voidCause !== null && voidCause !== toleratedCause) throw voidLinkError();
  if (expiresAt <= new Date()) {
    const detail = "This link has expired. Ask an administrator for a new one.";
    throw new ApiError("auth.link-expired", detail, expiresAt.toISOString(), {
      headers: challenge("Session", "invalid_token"),
    });
  }
  // Another person who set the address may read the mail. For rows older than the column, a change of the address voids the link.
  const isUsed = usedEmail === null || usedEmail === emailAddress;
  if (link.issuedBy === selfIssued && !isUsed) throw voidLinkError();
  await assertStillIssuable(tx, link, origin);
  if (state === "deactivated") throw voidLinkError();
}

/**
 * Sets a password by a link, once, and ends every session of the user in every tenant. Throws 401 for a token that is unknown or
 * used, 401 `link.void` if the user changed or the issuer may no longer issue it, 403 for an expired one, and 400 for an unsuitable
 * password: the link remains valid then. Every password write locks the tenant's row.
 * If the password changes while the hash is computed, the redemption overwrites it: the link was valid when it started.
 */
export async function redeemLink(
  tenantId: string,
  given: { token: string; password: string },
  purpose: Purpose,
  origin: Origin,
) {
  const found = await getLink(db(), tenantId, given.token, purpose);
  await assertRedeemable(db(), found, origin);
  const { login, name, emailAddress } = found;
  const { userId } = found.link;
  if (!(await isPasswordAccepted({ tenantId, userId }))) throw passwordNotAccepted(tenantId);
  assertPasswordSuitable("management", given.password, [login, name, emailAddress, tenantId]);
  const passwordHash = await hashPassword({ plane: "management", tenantId }, given.password);
  await withAccessChange(tenantId, async (tx) => {
    const current = await getLink(tx, tenantId, given.token, purpose);
    await assertRedeemable(tx, current, origin, "password");
    await deleteLinks(tx, { tenantId, userId });
    await updateUserRow(
      tx,
      { tenantId, userId },
      {
        ...{ passwordHash, mustChangePassword: false, passwordExpiresAt: null, state: "active" },
        ...(current.link.issuedBy === selfIssued && addressFollowed(current)),
      },
    );
    await endAllSessions(tx, { tenantId, userId });
    const acting = { tenantId, actor: { type: "user" as const, id: userId, login }, ...origin };
    const action =
      purpose === "invitation" ? "user.invitation-accepted" : "user.password-reset-confirmed";
    const changes = { issuer: { after: current.link.issuerUserId } };
    await record(tx, acting, {
      action,
      target: { type: "user", id: userId, name: login },
      changes,
    });
  });
  return { id: userId, tenant: tenantId, login, name };
}

/**
 * Accepts an invitation without a password, once: `link` adds another sign-in method in the same transaction. Throws like `redeemLink`;
 * the link remains valid then.
 */
export async function acceptInvitation<Result>(
  tenantId: string,
  token: string,
  origin: Origin,
  link: (tx: Transaction, userId: string) => Promise<Result>,
): Promise<Result> {
  return withAccessChange(tenantId, async (tx) => {
    const found = await getLink(tx, tenantId, token, "invitation");
    await assertRedeemable(tx, found, origin);
    const { userId, issuerUserId } = found.link;
    await deleteLinks(tx, { tenantId, userId });
    await updateUserRow(tx, { tenantId, userId }, { state: "active" });
    const { login } = found;
    const acting = { tenantId, actor: { type: "user" as const, id: userId, login }, ...origin };
    await record(tx, acting, {
      action: "user.invitation-accepted",
      target: { type: "user", id: userId, name: login },
      changes: { issuer: { after: issuerUserId } },
    });
    return link(tx, userId);
  });
}
