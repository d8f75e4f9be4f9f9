import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { assertCredentialUsable, assertNotRevoked } from "@/lib/access/authenticate";
import { expiredToken } from "@/lib/access/authenticate-shopper";
import { assertApiKeyAllowed, assertPasswordChanged } from "@/lib/access/authorization";
import { epochOfIssuer, isIssuerEnded, type Shopper } from "@/lib/access/caller";
import { describeCredential } from "@/lib/access/credential-store";
import { hashPassword } from "@/lib/access/hashing";
import { assertPasswordSuitable } from "@/lib/access/passwords";
import { newPasswordToken, sha256 } from "@/lib/access/secrets";
import { policyOf } from "@/lib/access/sites";
import { withTokenRevocation } from "@/lib/access/token-revocations";
import { transactionFor } from "@/lib/database/held-transactions";
import { read } from "@/lib/database/open";
import { customers, customerPasswordTokens as tokens } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { assertQuota } from "@/lib/features/quotas/quotas";
import type { CustomerDetails } from "@/lib/protocol/documents/customer-profile";
import { ApiError, isRejection } from "@/lib/protocol/errors";
import { challenge } from "@/lib/protocol/http-fields";
import { noteEvent } from "./activity";
import type { ConfirmPasswordReset } from "./contract";
import { assertCare } from "./customer-admin";
import { findCustomer, type Staff } from "./customer-queries";
import { passwordContext } from "./passwords";
import { assertManagesEverySite } from "./site-rights";
import { createPasswordToken as createPasswordTokenEndpoint } from "./staff-contract";
import { endTokenFamilies } from "./token-families";

const lifetimeMs = 24 * 3_600_000;

/**
 * A token for the shop's own mailer to send; it replaces any previous one, and only its hash is stored, with its issuer and the customer's
 * credential epoch: both are checked again at redemption. Throws 404, and 403 for sites without the right.
 */
export async function createPasswordToken(caller: Staff, id: string) {
  await findCustomer(caller, id);
  const { tenantId } = caller;
  const token = newPasswordToken();
  const expiresAt = new Date(Date.now() + lifetimeMs);
  await transactionFor(caller, async (tx) => {
    await assertCare(tx, caller, id);
    const [customer] = await tx
      .select({ customerEpoch: customers.credentialEpoch })
      .from(customers)
      .where(and(eq(customers.tenantId, tenantId), eq(customers.customerId, id)));
    const issuer = {
      issuerUserId: caller.userId,
      issuerKeyId: caller.kind === "apiKey" ? caller.credentialId : null,
      issuerEpoch: epochOfIssuer(caller),
    };
    const row = { tokenHash: sha256(token), expiresAt, ...issuer, ...customer };
    await tx
      .insert(tokens)
      .values({ tenantId, customerId: id, ...row })
      .onConflictDoUpdate({ target: [tokens.tenantId, tokens.customerId], set: row });
    await record(tx, actingAs(caller), {
      action: "customer.password-token-created",
      target: { type: "customer", id },
      changes: { expiresAt: { after: expiresAt.toISOString() } },
    });
    await assertQuota(tx, tenantId, "links");
  });
  return { id, token, expiresAt: expiresAt.toISOString() };
}

interface StoredToken {
  customerId: string;
  login: string;
  details: CustomerDetails;
  siteIds: string;
  expiresAt: Date;
  issuerUserId: string | null;
  issuerKeyId: string | null;
  issuerEpoch: number | null;
  customerEpoch: number;
  currentEpoch: number;
}

const byHash = `select p.customer_id as "customerId", c.login, c.details, p.expires_at as "expiresAt", p.issuer_user_id as "issuerUserId",
  p.issuer_key_id as "issuerKeyId", p.issuer_epoch as "issuerEpoch", p.customer_epoch as "customerEpoch", c.credential_epoch as "currentEpoch",
  (select string_agg(o.site_id, ',') from customer_sites o where o.tenant_id = $1 and o.customer_id = p.customer_id) as "siteIds"
  from customer_password_tokens p
  join customers c on c.tenant_id = $1 and c.customer_id = p.customer_id
  join customer_sites s on s.tenant_id = $1 and s.customer_id = p.customer_id and s.site_id = $3
  where p.tenant_id = $1 and p.token_hash = $2`;

/** Not the code of an invalid bearer token: a shop must know which of the two to renew. */
const invalidToken = () =>
  new ApiError(
    "auth.link-invalid",
    "This token is not valid, or was used already. Ask the shop for a new one.",
    "Bearer",
    { headers: challenge("Bearer", "invalid_token") },
  );

const voidToken = () =>
  new ApiError("link.void", "This token is void. Ask the shop for a new one.", "Bearer", {
    headers: challenge("Bearer", "invalid_token"),
  });

/**
 * Whether the issuer of the token could create it now: an active issuer, an API key only by policy, the right at each site. Releases before
 * this rule stored no issuer: their tokens stay valid until they expire.
 */
async function mayBeIssuedNow(tenantId: string, token: StoredToken): Promise<boolean> {
  const { issuerUserId, issuerKeyId, siteIds } = token;
  if (issuerUserId === null) return true;
  const subject = issuerKeyId === null ? { userId: issuerUserId } : { apiKeyId: issuerKeyId };
  const credential = await describeCredential(tenantId, subject);
  if (credential?.principal.userId !== issuerUserId) return false;
  if (isIssuerEnded(token.issuerEpoch, credential.principal)) return false;
  try {
    assertNotRevoked(credential);
    assertCredentialUsable(credential, Date.now());
    assertPasswordChanged({ worksBeforePasswordChange: false }, credential.principal);
    assertApiKeyAllowed(
      createPasswordTokenEndpoint,
      credential.principal,
      await policyOf(tenantId),
    );
    assertManagesEverySite(credential.principal, siteIds.split(","));
    return true;
  } catch (error) {
    if (isRejection(error)) return false;
    throw error;
  }
}

/** Throws 401 for a token that is unknown, used or void, and 403 for one that has expired. */
async function getUsableToken({ tenantId, siteId }: Shopper, hash: Buffer): Promise<StoredToken> {
  const [token] = await read<StoredToken>("password-token", byHash, [tenantId, hash, siteId]);
  if (!token) throw invalidToken();
  if (token.expiresAt <= new Date()) throw expiredToken(token.expiresAt.getTime());
  if (token.customerEpoch !== token.currentEpoch || !(await mayBeIssuedNow(tenantId, token)))
    throw voidToken();
  return token;
}

/**
 * Sets a new password by a token from the shop, once, and ends every sign-in. Throws 401 and 403 as `getUsableToken`, and
 * 400 for a password that is not accepted: the token stays usable then.
 */
export async function confirmPasswordReset(
  shopper: Shopper,
  { token, password }: z.output<typeof ConfirmPasswordReset>,
): Promise<void> {
  const { tenantId } = shopper;
  const hash = sha256(token);
  const { customerId, login, details, customerEpoch } = await getUsableToken(shopper, hash);
  assertPasswordSuitable("consumer", password, passwordContext(shopper, login, details));
  const passwordHash = await hashPassword({ plane: "consumer", tenantId }, password);
  // Checks again, because rights may have been revoked while the hashing was queued.
  await getUsableToken(shopper, hash);
  await withTokenRevocation(tenantId, async (tx, end) => {
    const self = [eq(customers.tenantId, tenantId), eq(customers.customerId, customerId)];
    const changed = await tx
      .update(customers)
      .set({ passwordHash, credentialEpoch: sql`${customers.credentialEpoch} + 1` })
      .where(and(...self, eq(customers.credentialEpoch, customerEpoch)))
      .returning({ customerId: customers.customerId });
    if (changed.length === 0) throw voidToken();
    const mine = [eq(tokens.tenantId, tenantId), eq(tokens.customerId, customerId)];
    const used = await tx
      .delete(tokens)
      .where(and(...mine, eq(tokens.tokenHash, hash)))
      .returning({ customerId: tokens.customerId });
    if (used.length === 0) throw invalidToken();
    await endTokenFamilies(tx, end, { tenantId, customerId, reason: "password" });
    await noteEvent(tx, shopper, { customerId, action: "password-reset" });
  });
}
