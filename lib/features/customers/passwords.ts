import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { expiredToken, unknownToken } from "@/lib/access/authenticate-shopper";
import { hashPassword, verifyPassword } from "@/lib/access/hashing";
import { checkNewPassword } from "@/lib/access/passwords";
import { sha256 } from "@/lib/access/secrets";
import type { Shopper, SignedInShopper } from "@/lib/access/shopper";
import { checkThrottle, noteFailure } from "@/lib/access/throttle";
import { ending } from "@/lib/access/token-revocations";
import { db, read } from "@/lib/database/open";
import { customers, customerPasswordTokens as tokens } from "@/lib/database/schema/schema";
import { invalid } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { noteActivity } from "./activity";
import type { ChangeCustomerPassword, ConfirmPasswordReset } from "./contract";
import { throttleScope } from "./login";
import { endFamilies } from "./token-families";

/** Sets one's own password and ends one's other sign-ins; this one goes on. Throws 400, and 429 after repeated failures. */
export async function changePassword(
  shopper: SignedInShopper,
  { current, password }: z.output<typeof ChangeCustomerPassword>,
): Promise<void> {
  const { tenantId, customerId, familyRef, address } = shopper;
  const self = and(eq(customers.tenantId, tenantId), eq(customers.customerId, customerId));
  const [before] = await db()
    .select({ login: customers.login, hash: customers.passwordHash })
    .from(customers)
    .where(self);
  if (!before) throw unknownToken();
  const scope = throttleScope(tenantId);
  const loginKey = labelKey(before.login);
  await checkThrottle(scope, loginKey, address);
  if (!(await verifyPassword("consumer", before.hash, current))) {
    await noteFailure(scope, loginKey, address);
    throw invalid([{ pointer: "/current", detail: "The current password is not right." }]);
  }
  checkNewPassword("consumer", password, before.login);
  if (password === current)
    throw invalid(
      [{ pointer: "/password", detail: "The new password must differ from the current one." }],
      "password.unsuitable",
    );
  const passwordHash = await hashPassword("consumer", password);
  await ending(tenantId, async (tx, end) => {
    await tx.update(customers).set({ passwordHash }).where(self);
    await endFamilies(tx, end, shopper, "password", { except: familyRef });
    await noteActivity(tx, shopper, customerId, "password-changed");
  });
}

interface Held {
  customerId: string;
  login: string;
  expiresAt: Date;
}

const byHash = `select p.customer_id as "customerId", c.login, p.expires_at as "expiresAt" from customer_password_tokens p
  join customers c on c.tenant_id = $1 and c.customer_id = p.customer_id
  join customer_sites s on s.tenant_id = $1 and s.customer_id = p.customer_id and s.site_id = $3
  where p.tenant_id = $1 and p.token_hash = $2`;

/** Sets a new password by a token from the shop, once, and ends every sign-in. 401 for a token that is not known (any more), 403 past its end. */
export async function confirmPasswordReset(
  shopper: Shopper,
  { token, password }: z.output<typeof ConfirmPasswordReset>,
): Promise<void> {
  const { tenantId, siteId } = shopper;
  const [held] = await read<Held>("password-token", byHash, [tenantId, sha256(token), siteId]);
  if (!held) throw unknownToken();
  if (held.expiresAt <= new Date()) throw expiredToken(held.expiresAt.getTime());
  checkNewPassword("consumer", password, held.login);
  const passwordHash = await hashPassword("consumer", password);
  const { customerId } = held;
  await ending(tenantId, async (tx, end) => {
    const self = and(
      eq(tokens.tenantId, tenantId),
      eq(tokens.customerId, customerId),
      eq(tokens.tokenHash, sha256(token)),
    );
    const used = await tx.delete(tokens).where(self).returning({ customerId: tokens.customerId });
    if (used.length === 0) throw unknownToken();
    await tx
      .update(customers)
      .set({ passwordHash })
      .where(and(eq(customers.tenantId, tenantId), eq(customers.customerId, customerId)));
    await endFamilies(tx, end, { tenantId, customerId }, "password");
    await noteActivity(tx, shopper, customerId, "password-reset");
  });
}
