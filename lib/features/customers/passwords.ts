import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { unknownToken } from "@/lib/access/authenticate-shopper";
import type { Shopper, SignedInShopper } from "@/lib/access/caller";
import { hashPassword, passwordForm, verifyPassword } from "@/lib/access/hashing";
import { assertPasswordSuitable } from "@/lib/access/passwords";
import { tryPassword } from "@/lib/access/throttle";
import { withTokenRevocation } from "@/lib/access/token-revocations";
import { db } from "@/lib/database/open";
import { customers } from "@/lib/database/schema/schema";
import type { CustomerDetails } from "@/lib/protocol/documents/customer-profile";
import { invalid } from "@/lib/protocol/errors";
import { labelKey } from "@/lib/protocol/formats";
import { noteEvent } from "./activity";
import type { ChangeCustomerPassword } from "./contract";
import { endTokenFamilies } from "./token-families";

/** Account data that the password must not consist of. */
export function passwordContext(
  { tenantId, siteId }: Pick<Shopper, "tenantId" | "siteId">,
  login: string,
  { name, emailAddresses }: Pick<CustomerDetails, "name" | "emailAddresses">,
): string[] {
  const addresses = emailAddresses.addresses.slice(0, 5).map(({ address }) => address);
  return [login, name?.first ?? "", name?.last ?? "", ...addresses, tenantId, siteId];
}

const wrongCurrent = () =>
  invalid([{ pointer: "/current", detail: "The current password is not right." }]);

/** Sets the caller's own password, voids password tokens and ends all other sign-ins. Throws 400, and 429 after repeated failures. */
export async function changePassword(
  shopper: SignedInShopper,
  { current, password }: z.output<typeof ChangeCustomerPassword>,
): Promise<void> {
  const { tenantId, customerId, familyRef, address } = shopper;
  const self = and(eq(customers.tenantId, tenantId), eq(customers.customerId, customerId));
  const [before] = await db()
    .select({ login: customers.login, hash: customers.passwordHash, details: customers.details })
    .from(customers)
    .where(self);
  if (!before) throw unknownToken();
  const who = { tenantId, plane: "consumer" as const, loginKey: labelKey(before.login), address };
  if (!(await tryPassword(who, () => verifyPassword(who, before.hash, current)))) {
    throw wrongCurrent();
  }
  assertPasswordSuitable(
    "consumer",
    password,
    passwordContext(shopper, before.login, before.details),
  );
  if (passwordForm(password) === passwordForm(current))
    throw invalid(
      [{ pointer: "/password", detail: "The new password must differ from the current one." }],
      "password.unsuitable",
    );
  const passwordHash = await hashPassword(who, password);
  await withTokenRevocation(shopper, async (tx, end) => {
    // Compare and set: a concurrent reset or change wins.
    const changed = await tx
      .update(customers)
      .set({ passwordHash, credentialEpoch: sql`${customers.credentialEpoch} + 1` })
      .where(and(self, eq(customers.passwordHash, before.hash)))
      .returning({ customerId: customers.customerId });
    if (changed.length === 0) throw wrongCurrent();
    await endTokenFamilies(tx, end, {
      tenantId: shopper.tenantId,
      customerId: shopper.customerId,
      reason: "password",
      except: familyRef,
    });
    await noteEvent(tx, shopper, { customerId, action: "password-changed" });
  });
}
