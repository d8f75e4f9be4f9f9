import type { z } from "zod";
import { transactionFor } from "@/lib/database/held-transactions";
import type { Transaction } from "@/lib/database/open";
import { readWithin } from "@/lib/database/transaction";
import { actingAs, record } from "@/lib/features/audit/service";
import { takeFromQuota } from "@/lib/features/quotas/quotas";
import type { Context } from "@/lib/http/context";
import { created } from "@/lib/http/responses";
import type { CustomerDetails } from "@/lib/protocol/documents/customer-profile";
import { getCustomer, type Staff } from "./customer-queries";
import type { NewCustomer } from "./managing-contract";
import { emailKeys, newDetails } from "./profile-rows";
import { insertCustomer, loginTaken } from "./registration";
import type { CustomerDetail } from "./staff-contract";

/** A customer to be stored. */
export interface ImportedRow {
  customerId: string;
  login: string;
  loginKey: string;
  siteIds: readonly string[];
  registeredAt: Date;
  passwordHash: string;
  details: CustomerDetails;
}

const statements = {
  customers: `insert into customers (tenant_id, customer_id, login, login_key, password_hash, registered_at, revision, details)
    select $1, n.id, n.login, n.login_key, n.hash, n.at, 1, n.details::jsonb
    from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::text[]) as n (id, login, login_key, hash, at, details)
    on conflict (tenant_id, login_key) do nothing returning customer_id as id`,
  sites: `insert into customer_sites (tenant_id, site_id, customer_id)
    select $1, n.site_id, n.id from unnest($2::text[], $3::text[]) as n (site_id, id)`,
  emails: `insert into customer_emails (tenant_id, email_key, customer_id)
    select $1, n.email_key, n.id from unnest($2::text[], $3::text[]) as n (email_key, id)`,
  removal: "delete from customers where tenant_id = $1 and customer_id = any($2::text[])",
};

/**
 * Inserts many customers with one statement for each table. Skips logins in use; of two rows with the same login the first one wins.
 * `keep`, called after the insert, returns how many of them may stay; the surplus is removed.
 */
export async function insertCustomers(
  tx: Transaction,
  tenantId: string,
  rows: readonly ImportedRow[],
  keep: (inserted: number) => Promise<number>,
): Promise<{ kept: ImportedRow[]; surplus: ImportedRow[] }> {
  if (rows.length === 0) return { kept: [], surplus: [] };
  const added = await readWithin<{ id: string }>(tx, statements.customers, [
    tenantId,
    rows.map((row) => row.customerId),
    rows.map((row) => row.login),
    rows.map((row) => row.loginKey),
    rows.map((row) => row.passwordHash),
    rows.map((row) => row.registeredAt.toISOString()),
    rows.map((row) => JSON.stringify(row.details)),
  ]);
  const ids = new Set(added.map(({ id }) => id));
  const inserted = rows.filter((row) => ids.has(row.customerId));
  const kept = inserted.slice(0, await keep(inserted.length));
  const surplus = inserted.slice(kept.length);
  const removed = surplus.map((row) => row.customerId);
  if (removed.length > 0) await readWithin(tx, statements.removal, [tenantId, removed]);
  const sites = kept.flatMap((row) => row.siteIds.map((siteId) => [siteId, row.customerId]));
  await insertPairs(tx, tenantId, statements.sites, sites);
  const emails = kept.flatMap((row) => emailKeys(row.details).map((key) => [key, row.customerId]));
  await insertPairs(tx, tenantId, statements.emails, emails);
  return { kept, surplus };
}

async function insertPairs(
  tx: Transaction,
  tenantId: string,
  statement: string,
  pairs: readonly (readonly string[])[],
): Promise<void> {
  if (pairs.length === 0) return;
  await readWithin(tx, statement, [tenantId, pairs.map(([key]) => key), pairs.map(([, id]) => id)]);
}

/** The password hash of a customer without a password: no password matches it. */
export const noPassword = "";

/** Creates a customer of the request's site, who has no password until a password token is redeemed. Throws 400, 409 and 429. */
export async function createCustomer(
  context: Pick<
    Context<unknown, z.output<typeof NewCustomer>, string, Staff>,
    "caller" | "body" | "responseHeaders"
  >,
): Promise<CustomerDetail> {
  const { caller, body } = context;
  const { login } = body;
  const { tenantId, siteId = "" } = caller;
  const details = newDetails(body);
  const id = await transactionFor(caller, async (tx) => {
    const row = { tenantId, siteIds: [siteId], login, passwordHash: noPassword, details };
    const inserted = await insertCustomer(tx, row);
    if (inserted === undefined) throw loginTaken(login);
    await takeFromQuota(tx, tenantId, "customers", 1);
    await record(tx, actingAs(caller), {
      action: "customer.registered",
      target: { type: "customer", id: inserted },
    });
    return inserted;
  });
  return created(context, "/v1/customers", await getCustomer(caller, id));
}
