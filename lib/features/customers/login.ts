import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { lockedCustomer } from "@/lib/access/authenticate-shopper";
import type { Shopper, SignedInShopper } from "@/lib/access/caller";
import { signAnonymousToken } from "@/lib/access/consumer-tokens";
import { checkRoom, hashPassword, matchPassword, type PasswordMatch } from "@/lib/access/hashing";
import { isCustomerLockedAt } from "@/lib/access/locks";
import { isOwnHash } from "@/lib/access/password-hashes";
import { policyOf } from "@/lib/access/sites";
import { tryPassword } from "@/lib/access/throttle";
import { withTokenRevocation } from "@/lib/access/token-revocations";
import { newId } from "@/lib/database/ids";
import { db, read, transaction } from "@/lib/database/open";
import { customers } from "@/lib/database/schema/schema";
import { ApiError } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { challenge } from "@/lib/protocol/http-fields";
import { noteActivity, noteEvent, noteFailedLogin } from "./activity";
import type { CustomerLogin, Logout } from "./contract";
import { findTokenFamily } from "./refresh";
import {
  consumerLifetimes,
  createTokenFamily,
  endTokenFamilies,
  isAuthentic,
  issueTokens,
  parseRefreshToken,
} from "./token-families";

interface LoginCandidate {
  customerId: string;
  passwordHash: string;
  lockedAt: Date | null;
  lockedUntil: Date | null;
}

/** Finds a customer of this site by login. */
const byLogin = `select c.customer_id as "customerId", c.password_hash as "passwordHash", c.locked_at as "lockedAt", c.locked_until as "lockedUntil"
  from customers c join customer_sites s on s.tenant_id = $1 and s.customer_id = c.customer_id and s.site_id = $3
  where c.tenant_id = $1 and c.login_key = $2`;

async function findCandidate(
  { tenantId, siteId }: Shopper,
  loginKey: string,
): Promise<LoginCandidate | undefined> {
  const values = [tenantId, loginKey, siteId];
  return (await read<LoginCandidate>("customer-login-candidate", byLogin, values))[0];
}

/** A token for an anonymous shopper. Nothing is stored, the id is only in the token. */
export async function createAnonymousToken(tenantId: string, siteId: string) {
  const { anonymousSeconds: expiresIn } = consumerLifetimes(await policyOf(tenantId));
  const accessToken = await signAnonymousToken(
    { tenantId, siteId, anonymousId: newId("anon") },
    expiresIn,
  );
  return { accessToken, tokenType: "Bearer" as const, expiresIn };
}

const loginFailed = () =>
  new ApiError("auth.login-failed", "The login or the password is not right.", "Bearer", {
    headers: challenge("Bearer"),
  });

/**
 * Signs a customer in. Response and timing of 401 are the same for an unknown login, a wrong password and a customer of another site; a
 * lock (403) shows only with the correct password. 429 while earlier failures delay the login.
 */
export async function loginCustomer(
  shopper: Shopper,
  { login, password }: z.output<typeof CustomerLogin>,
) {
  const { tenantId, address } = shopper;
  const loginKey = labelKey(login);
  const who = { tenantId, plane: "consumer" as const, loginKey, address };
  let candidate: LoginCandidate | undefined;
  let match = "none" as PasswordMatch;
  const isRight = await tryPassword(who, async () => {
    checkRoom(who);
    candidate = await findCandidate(shopper, loginKey);
    match = await matchPassword(who, candidate?.passwordHash, password);
    return match !== "none" && candidate !== undefined;
  });
  if (!isRight || !candidate) {
    noteFailedLogin(shopper, candidate?.customerId);
    throw loginFailed();
  }
  if (isCustomerLockedAt(candidate, new Date())) throw lockedCustomer();
  const isCurrent = isOwnHash(candidate.passwordHash) && match !== "as typed";
  const typed = { loginKey, password };
  const known = isCurrent ? candidate : await withNewHash(shopper, candidate, typed);
  const tokens =
    (await signIn(shopper, known)) ?? (await signIn(shopper, await checkedAgain(shopper, typed)));
  if (tokens === undefined) throw loginFailed();
  return tokens;
}

interface Typed {
  loginKey: string;
  password: string;
}

/** Loads the customer again after a concurrent password change. Throws unless the given password matches the new hash too. */
async function checkedAgain(
  shopper: Shopper,
  { loginKey, password }: Typed,
): Promise<LoginCandidate> {
  const { tenantId } = shopper;
  const now = await findCandidate(shopper, loginKey);
  const match = await matchPassword({ plane: "consumer", tenantId }, now?.passwordHash, password);
  if (!now || match === "none") throw loginFailed();
  if (isCustomerLockedAt(now, new Date())) throw lockedCustomer();
  return now;
}

/**
 * Replaces an imported hash, or one of a password not in NFC, by our own hash of the password in NFC. While too many passwords are being
 * hashed, the old hash stays until the next sign-in. After a concurrent change, the password is checked against the new hash.
 */
async function withNewHash(
  shopper: Shopper,
  candidate: LoginCandidate,
  typed: Typed,
): Promise<LoginCandidate> {
  const { tenantId } = shopper;
  const { customerId, passwordHash: former } = candidate;
  const passwordHash = await hashPassword({ plane: "consumer", tenantId }, typed.password).catch(
    () => undefined,
  );
  if (passwordHash === undefined) return candidate;
  const replaced = await db()
    .update(customers)
    .set({ passwordHash })
    .where(unchangedHash({ tenantId, customerId, passwordHash: former }))
    .returning({ id: customers.customerId });
  return replaced.length > 0 ? { ...candidate, passwordHash } : await checkedAgain(shopper, typed);
}

const unchangedHash = ({
  tenantId,
  customerId,
  passwordHash,
}: Pick<LoginCandidate, "customerId" | "passwordHash"> & { tenantId: string }) =>
  and(
    eq(customers.tenantId, tenantId),
    eq(customers.customerId, customerId),
    eq(customers.passwordHash, passwordHash),
  );

/** Undefined if the password was changed since it was checked: a reset invalidates sign-ins that started before it. */
async function signIn(shopper: Shopper, { customerId, passwordHash }: LoginCandidate) {
  const { tenantId } = shopper;
  const lifetimes = consumerLifetimes(await policyOf(tenantId));
  const family = await transaction(async (tx) => {
    const found = await tx
      .update(customers)
      .set({ lastLoginAt: new Date() })
      .where(unchangedHash({ tenantId, customerId, passwordHash }))
      .returning({ id: customers.customerId });
    if (found.length === 0) return undefined;
    const created = await createTokenFamily(tx, shopper, customerId, lifetimes);
    await noteEvent(tx, shopper, { customerId, action: "signed-in" });
    return created;
  });
  return family && issueTokens(family, 0, lifetimes.accessSeconds);
}

/** Ends the sign-in of this access token, and that of the refresh token if it is a different one of the same customer. */
export async function logoutCustomer(
  shopper: SignedInShopper,
  { refreshToken }: z.output<typeof Logout>,
): Promise<void> {
  const { tenantId, customerId, familyRef } = shopper;
  const given = refreshToken === undefined ? undefined : parseRefreshToken(refreshToken);
  const other =
    given && given.familyRef !== familyRef
      ? await findTokenFamily(tenantId, given.familyRef)
      : undefined;
  const isOwn = given && other && other.customerId === customerId && isAuthentic(given, other);
  await withTokenRevocation(tenantId, async (tx, end) => {
    const signOut = (only: string) =>
      endTokenFamilies(tx, end, { tenantId, customerId, reason: "logout", only });
    await signOut(familyRef);
    if (isOwn) await signOut(other.familyRef);
    await noteActivity(tx, shopper, { customerId, action: "signed-out" });
  });
}
