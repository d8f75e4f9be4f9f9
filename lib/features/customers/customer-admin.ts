import { and, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { withTokenRevocation } from "@/lib/access/token-revocations";
import { transactionFor } from "@/lib/database/held-transactions";
import { type Transaction, transaction } from "@/lib/database/open";
import { customers } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { assertUnchangedBy } from "@/lib/http/answer";
import type { Context } from "@/lib/http/context";
import { invalid } from "@/lib/protocol/errors";
import type { JsonObject } from "@/lib/protocol/merge-patch";
import { describeCustomer, findCustomer, getCustomer, type Staff } from "./customer-queries";
import { siteIdsUnderLock } from "./membership";
import { changedFields, patchedDetails, writeDetails } from "./profile-rows";
import { assertManagesEverySite, withoutTokens } from "./site-rights";
import {
  type CustomerDetail,
  type LockCustomer,
  type PersonalField,
  type RevealCustomer,
  type RevealedCustomer,
  getCustomer as representation,
} from "./staff-contract";
import { endTokenFamilies } from "./token-families";

const at = (caller: Staff, id: string) =>
  and(eq(customers.tenantId, caller.tenantId), eq(customers.customerId, id));
const targetOf = (id: string) => ({ type: "customer", id });
const nextEpoch = sql`${customers.credentialEpoch} + 1`;

/**
 * Locks the customer's row and requires the right at each of its sites, so that a concurrently added site is not missed. Throws 404 and
 * 403.
 */
export async function assertCare(tx: Transaction, caller: Staff, id: string): Promise<void> {
  assertManagesEverySite(caller, await siteIdsUnderLock(tx, caller, id));
}

/** Locks a customer, until an instant or permanently; issued tokens are rejected within a second. Throws 400 for an end in the past. */
export async function lockCustomer(
  caller: Staff,
  id: string,
  { reason, until }: z.output<typeof LockCustomer>,
): Promise<CustomerDetail> {
  if (until && until <= new Date())
    throw invalid([{ pointer: "/until", detail: "/until must be in the future." }]);
  const before = await findCustomer(caller, id);
  const lockedUntil = until ?? null;
  await withTokenRevocation(caller, async (tx, end) => {
    await assertCare(tx, caller, id);
    const lock = { lockedAt: new Date(), lockReason: reason, lockedUntil };
    await tx
      .update(customers)
      .set({ ...lock, credentialEpoch: nextEpoch })
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

/** Unlocks a customer. Does nothing, without an audit entry, if the customer is not locked. */
export async function unlockCustomer(caller: Staff, id: string): Promise<CustomerDetail> {
  const before = await findCustomer(caller, id);
  await withTokenRevocation(caller, async (tx, end) => {
    await assertCare(tx, caller, id);
    if (before.lockedAt === null) return;
    const lock = { lockedAt: null, lockReason: null, lockedUntil: null };
    await tx
      .update(customers)
      .set({ ...lock, credentialEpoch: nextEpoch })
      .where(at(caller, id));
    await end([{ subject: id, effect: "unlocked" }]);
    const changes = { lock: { before: true, after: false } };
    await record(tx, actingAs(caller), {
      action: "customer.unlocked",
      target: targetOf(id),
      changes,
    });
  });
  return getCustomer(caller, id);
}

/** Ends every sign-in of the customer, who may sign in again. */
export async function endCustomerSessions(caller: Staff, id: string): Promise<CustomerDetail> {
  await findCustomer(caller, id);
  await withTokenRevocation(caller, async (tx, end) => {
    await assertCare(tx, caller, id);
    const which = { tenantId: caller.tenantId, customerId: id, reason: "staff" } as const;
    const ended = await endTokenFamilies(tx, end, which);
    const changes = { families: { before: ended } };
    await record(tx, actingAs(caller), {
      action: "customer.sessions-ended",
      target: targetOf(id),
      changes,
    });
  });
  return getCustomer(caller, id);
}

/** Personal data of a customer, unmasked. The access is recorded before the response: field names and the reason, never values. */
export async function revealCustomer(
  caller: Staff,
  id: string,
  { fields, reason }: z.output<typeof RevealCustomer>,
): Promise<RevealedCustomer> {
  const { login, details } = await findCustomer(caller, id);
  const changes = { fields: { after: [...new Set(fields)] }, reason: { after: reason } };
  await transactionFor(caller, async (tx) => {
    await assertCare(tx, caller, id);
    await record(tx, actingAs(caller), {
      action: "customer.revealed",
      target: targetOf(id),
      changes,
    });
  });
  const creditCards = withoutTokens(details.creditCards);
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

/**
 * Changes a customer's profile by a merge patch. The audit entry lists the changed fields, never values. Throws 400, 404 and 412, and 403
 * for a
 * customer of sites at which the caller lacks the right.
 */
export async function updateCustomer(
  context: Pick<Context, "request"> & { caller: Staff; params: { id: string }; body: JsonObject },
): Promise<CustomerDetail> {
  const { caller, params, body } = context;
  const { id } = params;
  const assertUnchanged = assertUnchangedBy(context, representation);
  const { tenantId } = caller;
  await findCustomer(caller, id);
  await transaction(async (tx) => {
    await assertCare(tx, caller, id);
    const before = await findCustomer(caller, id, tx);
    const unlisted = { sessions: [], activity: [] };
    await assertUnchanged(() => ({ ...describeCustomer(caller, before), ...unlisted }));
    const details = patchedDetails(before.details, body);
    const fields = changedFields(before.details, details);
    if (fields.length === 0) return;
    await writeDetails(tx, { tenantId, customerId: id }, before, details);
    await record(tx, actingAs(caller), {
      action: "customer.updated",
      target: { type: "customer", id },
      changes: Object.fromEntries(fields.map((field) => [field, {}])),
    });
  });
  return getCustomer(caller, id);
}
