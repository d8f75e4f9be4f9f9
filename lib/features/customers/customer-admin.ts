import { and, eq } from "drizzle-orm";
import type { z } from "zod";
import { newPasswordToken, sha256 } from "@/lib/access/secrets";
import { ending } from "@/lib/access/token-revocations";
import { transaction } from "@/lib/database/open";
import { customerPasswordTokens, customers } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { invalid } from "@/lib/protocol/errors";
import { findCustomer, getCustomer, type Staff } from "./customer-queries";
import type {
  CustomerDetail,
  LockCustomer,
  PersonalField,
  RevealCustomer,
  RevealedCustomer,
} from "./staff-contract";
import { endFamilies } from "./token-families";

const passwordTokenMilliseconds = 24 * 3_600_000;

const at = (caller: Staff, id: string) =>
  and(eq(customers.tenantId, caller.tenantId), eq(customers.customerId, id));
const targetOf = (id: string) => ({ type: "customer", id });

/** Locks a customer out, until an instant or for good; tokens that are out are refused within a second. Throws 400 for an end that is past. */
export async function lockCustomer(
  caller: Staff,
  id: string,
  { reason, until }: z.output<typeof LockCustomer>,
): Promise<CustomerDetail> {
  if (until && until <= new Date())
    throw invalid([{ pointer: "/until", detail: "/until must be in the future." }]);
  const before = await findCustomer(caller, id);
  const lockedUntil = until ?? null;
  await ending(caller.tenantId, async (tx, end) => {
    await tx
      .update(customers)
      .set({ lockedAt: new Date(), lockReason: reason, lockedUntil })
      .where(at(caller, id));
    await end([{ subject: id, effect: "locked", lockedUntil }]);
    const changes = {
      lock: { before: before.lockedAt !== null, after: true },
      reason: { after: reason },
      ...(until ? { until: { after: until.toISOString() } } : {}),
    };
    await record(tx, actingAs(caller), {
      action: "customer.locked",
      target: targetOf(id),
      changes,
    });
  });
  return getCustomer(caller, id);
}

/** Lets a locked customer in again. One who is not locked stays as is, without an entry. */
export async function unlockCustomer(caller: Staff, id: string): Promise<CustomerDetail> {
  const before = await findCustomer(caller, id);
  if (before.lockedAt !== null) {
    await ending(caller.tenantId, async (tx, end) => {
      await tx
        .update(customers)
        .set({ lockedAt: null, lockReason: null, lockedUntil: null })
        .where(at(caller, id));
      await end([{ subject: id, effect: "unlocked" }]);
      const changes = { lock: { before: true, after: false } };
      await record(tx, actingAs(caller), {
        action: "customer.unlocked",
        target: targetOf(id),
        changes,
      });
    });
  }
  return getCustomer(caller, id);
}

/** Ends every sign-in of the customer, who may sign in again. */
export async function endCustomerSessions(caller: Staff, id: string): Promise<CustomerDetail> {
  await findCustomer(caller, id);
  await ending(caller.tenantId, async (tx, end) => {
    const ended = await endFamilies(
      tx,
      end,
      { tenantId: caller.tenantId, customerId: id },
      "staff",
    );
    const changes = { families: { before: ended } };
    await record(tx, actingAs(caller), {
      action: "customer.sessions-ended",
      target: targetOf(id),
      changes,
    });
  });
  return getCustomer(caller, id);
}

/** Personal data of a customer in the clear. Recorded before it is answered: the names of the fields and the reason, never values. */
export async function revealCustomer(
  caller: Staff,
  id: string,
  { fields, reason }: z.output<typeof RevealCustomer>,
): Promise<RevealedCustomer> {
  const { login, details } = await findCustomer(caller, id);
  const changes = { fields: { after: [...new Set(fields)] }, reason: { after: reason } };
  await transaction((tx) =>
    record(tx, actingAs(caller), { action: "customer.revealed", target: targetOf(id), changes }),
  );
  const withoutToken = <Card extends { token?: string | undefined }>({ token: _, ...card }: Card) =>
    card;
  const { cards, default: preferred } = details.creditCards;
  const creditCards = {
    cards: cards.map(withoutToken),
    ...(preferred ? { default: withoutToken(preferred) } : {}),
  };
  const all: Record<PersonalField, unknown> = {
    birthDate: undefined,
    defaultLocationId: undefined,
    gender: undefined,
    name: undefined,
    ...details,
    login,
    creditCards,
  };
  return Object.fromEntries(fields.map((field) => [field, all[field]]));
}

/** A token for the shop's own mailer to send; it replaces any before it, and only its hash is stored. */
export async function createPasswordToken(caller: Staff, id: string) {
  await findCustomer(caller, id);
  const token = newPasswordToken();
  const expiresAt = new Date(Date.now() + passwordTokenMilliseconds);
  const held = { tokenHash: sha256(token), expiresAt };
  await transaction(async (tx) => {
    await tx
      .insert(customerPasswordTokens)
      .values({ tenantId: caller.tenantId, customerId: id, ...held })
      .onConflictDoUpdate({
        target: [customerPasswordTokens.tenantId, customerPasswordTokens.customerId],
        set: held,
      });
    const changes = { expiresAt: { after: expiresAt.toISOString() } };
    await record(tx, actingAs(caller), {
      action: "customer.password-token-created",
      target: targetOf(id),
      changes,
    });
  });
  return { id, token, expiresAt: expiresAt.toISOString() };
}
