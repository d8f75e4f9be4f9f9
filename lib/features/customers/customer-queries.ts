import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { customerLockedSql, isCustomerLockedAt } from "@/lib/access/locks";
import { boundStatement, readerFor } from "@/lib/database/held-transactions";
import { read, type Transaction, transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import type { CustomerDetails } from "@/lib/protocol/documents/customer-profile";
import { ApiError } from "@/lib/protocol/errors";
import { labelKey, normalEmailAddress } from "@/lib/protocol/formats";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import { listActivity, listSignIns } from "./activity-queries";
import { maskedEmail, maskedLogin, maskedName, maskPlaceholder, sitesWithout } from "./site-rights";
import type { CustomerDetail, ListCustomersQuery, ListedCustomer } from "./staff-contract";

/** A caller with a site in the request, as in every operation of customer care. */
export type Staff = Caller;

interface Row {
  id: string;
  login: string;
  registeredAt: Date;
  lastLoginAt: Date | null;
  siteIds: string | null;
  credentialEpoch: number;
  revision: number;
  lockedAt: Date | null;
  lockReason: string | null;
  lockedUntil: Date | null;
  details: CustomerDetails;
}

const columns = `c.customer_id as id, c.login, c.registered_at as "registeredAt", c.last_login_at as "lastLoginAt", c.locked_at as "lockedAt",
  c.lock_reason as "lockReason", c.locked_until as "lockedUntil", c.credential_epoch as "credentialEpoch", c.revision, c.details,
  (select string_agg(o.site_id, ',' order by o.site_id) from customer_sites o where o.tenant_id = $1 and o.customer_id = c.customer_id) as "siteIds"
  from customer_sites s join customers c on c.tenant_id = $1 and c.customer_id = s.customer_id where s.tenant_id = $1 and s.site_id = $2`;

/** The customers of a site before the given one, newest first; all, only locked or only unlocked ones. */
export function customersBefore(
  { tenantId, siteId = "" }: Staff,
  before: string,
  limit: number,
  lock?: boolean,
): Promise<readonly Row[]> {
  const values = [tenantId, siteId, before, limit];
  if (lock === undefined) return read<Row>("customers-page", statements.page, values);
  const name = lock ? "customers-locked" : "customers-not-locked";
  return read<Row>(name, lock ? statements.locked : statements.notLocked, [...values, new Date()]);
}

const locked = customerLockedSql("c", "$5");
// The condition is on both tables: otherwise the merge join would scan all customers from the newest.
const newestFirst =
  "and s.customer_id < $3 and c.customer_id < $3 order by s.customer_id desc limit $4";

const statements = {
  page: `select ${columns} ${newestFirst}`,
  // Repeats the condition of the partial index on locked customers, which is small.
  locked: `select ${columns} and c.locked_at is not null and ${locked} ${newestFirst}`,
  notLocked: `select ${columns} and not ${locked} ${newestFirst}`,
  one: `select ${columns} and s.customer_id = $3`,
  found: `select ${columns} and s.customer_id in (
    select x.customer_id from customers x where x.tenant_id = $1 and x.customer_id = $3
    union select y.customer_id from customers y where y.tenant_id = $1 and y.login_key = $4
    union select e.customer_id from customer_emails e where e.tenant_id = $1 and e.email_key = $5) order by s.customer_id desc limit 201`,
};

/** Sorts after every customer id, as those end in letters and digits: a cursor before the first page. */
export const beforeFirstPage = "cust_~";

export const siteIdsOf = ({ siteIds }: Pick<Row, "siteIds">) => (siteIds ? siteIds.split(",") : []);
const siteOf = (caller: Staff) => caller.siteId ?? "";

function listed(row: Row): ListedCustomer {
  const email = row.details.emailAddresses.default ?? row.details.emailAddresses.addresses[0];
  return {
    id: row.id,
    login: maskedLogin(row.login),
    name: maskedName(row.details),
    emailAddress: email ? maskedEmail(email.address) : null,
    registrationDate: row.registeredAt.toISOString(),
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
    siteIds: siteIdsOf(row),
    lock: isCustomerLockedAt(row, new Date()),
  };
}

/** Records the search with the ids that were found, never the search text. */
async function recordSearch(caller: Staff, found: readonly Row[]): Promise<void> {
  const target = { type: "site", id: siteOf(caller) };
  const changes = { found: { after: found.map((row) => row.id) } };
  await transaction((tx) =>
    record(tx, actingAs(caller), { action: "customer.searched", target, changes }),
  );
}

/** The search terms, normalized like the stored values; undefined if the field is not searched. */
interface Search {
  id: string | undefined;
  loginKey: string | undefined;
  emailKey: string | undefined;
}

/** The search terms of a query; `q` searches every field. Undefined if it lists all customers. */
function findSearch({
  q,
  login,
  emailAddress,
  id,
}: z.output<typeof ListCustomersQuery>): Search | undefined {
  const [anyLogin, anyAddress] = [login ?? q, emailAddress ?? q];
  const search = {
    id: id ?? q,
    loginKey: anyLogin === undefined ? undefined : labelKey(anyLogin),
    emailKey: anyAddress === undefined ? undefined : normalEmailAddress(anyAddress).toLowerCase(),
  };
  return Object.values(search).some((value) => value !== undefined) ? search : undefined;
}

const isOfLock = (row: Row, lock: boolean | undefined) =>
  lock === undefined || isCustomerLockedAt(row, new Date()) === lock;

/** The customers of the request's site, newest first, or those whose login, e-mail address or id equals the search term. */
export async function listCustomers(
  caller: Staff,
  query: z.output<typeof ListCustomersQuery>,
): Promise<Page<ListedCustomer>> {
  const { limit, cursor } = query;
  const after = readCursor(cursor, 1)?.[0] ?? beforeFirstPage;
  const search = findSearch(query);
  const scope = [caller.tenantId, siteOf(caller)];
  if (!search) {
    const rows = await customersBefore(caller, after, limit + 1, query.lock);
    const page = cutPage(rows, limit, (row) => [row.id]);
    return { items: page.items.map(listed), next: page.next };
  }
  const { id = null, loginKey = null, emailKey = null } = search;
  const rows = await read<Row>("customers-found", statements.found, [
    ...scope,
    id,
    loginKey,
    emailKey,
  ]);
  await recordSearch(caller, rows);
  const page = cutPage(
    rows.filter((row) => row.id < after && isOfLock(row, query.lock)),
    limit,
    (row) => [row.id],
  );
  return { items: page.items.map(listed), next: page.next };
}

export const notAtSite = () =>
  new ApiError("customer.not-found", "There is no such customer at this site.");

/** A row as read in a transaction, where instants are texts. */
type StoredRow = { [Name in keyof Row]: Row[Name] extends Date | null ? string | null : Row[Name] };

const dateOf = (text: string | null) => (text === null ? null : new Date(text));

const withDates = (row: StoredRow): Row => ({
  ...row,
  registeredAt: new Date(row.registeredAt ?? 0),
  lastLoginAt: dateOf(row.lastLoginAt),
  lockedAt: dateOf(row.lockedAt),
  lockedUntil: dateOf(row.lockedUntil),
});

/** A customer of the request's site, unmasked: for services that mask or record. Throws 404. */
export async function findCustomer(
  caller: Staff,
  id: string,
  open: Transaction | undefined = caller.held?.openTransaction,
): Promise<Row> {
  const scope = [caller.tenantId, siteOf(caller), id];
  const [row] = open
    ? (await open.execute<StoredRow>(boundStatement(statements.one, scope))).rows.map(withDates)
    : await read<Row>("customer", statements.one, scope);
  if (!row) throw notAtSite();
  return row;
}

function countsOf({
  addresses,
  emailAddresses,
  creditCards,
  subscriptions,
}: CustomerDetails): CustomerDetail["counts"] {
  return {
    addresses: addresses.addresses.length,
    emailAddresses: emailAddresses.addresses.length,
    creditCards: creditCards.cards.length,
    subscriptions: Object.values(subscriptions).reduce((sum, list) => sum + list.length, 0),
  };
}

/** The part of the response that comes from the customer's own row, which the entity tag covers. */
export function describeCustomer(
  caller: Staff,
  row: Row,
): Omit<CustomerDetail, "sessions" | "activity"> {
  const { birthDate, gender } = row.details;
  return {
    ...listed(row),
    revision: row.revision,
    lockReason: row.lockReason,
    lockedAt: row.lockedAt?.toISOString() ?? null,
    lockedUntil: row.lockedUntil?.toISOString() ?? null,
    birthDate: birthDate === undefined ? null : maskPlaceholder,
    gender: gender === undefined ? null : maskPlaceholder,
    counts: countsOf(row.details),
    unmanagedSiteIds: sitesWithout(caller, "customer.manage", siteIdsOf(row)),
  };
}

/** A customer as staff sees it, with sign-ins and latest activity at the sites that the caller may read. Throws 404. */
export async function getCustomer(caller: Staff, id: string): Promise<CustomerDetail> {
  const row = await findCustomer(caller, id);
  const hidden = sitesWithout(caller, "customer.read", [...caller.siteIds]);
  const atSites =
    hidden.length === 0 ? undefined : [...caller.siteIds].filter((one) => !hidden.includes(one));
  const who = { tenantId: caller.tenantId, customerId: id, ...(atSites && { atSites }) };
  const on = readerFor(caller);
  const sessions = await listSignIns(who, on);
  const activity = await listActivity(who, 20, { on });
  return { ...describeCustomer(caller, row), sessions, activity: activity.items };
}
