import type { z } from "zod";
import { isMailOn } from "@/lib/access/authorization";
import { type Caller, siteOfScope } from "@/lib/access/caller";
import { parseGrants } from "@/lib/access/credential-store";
import { isLockedAt, userLockedSql } from "@/lib/access/locks";
import { db, read, type Transaction, textKey } from "@/lib/database/open";
import { shareBody } from "@/lib/http/answer";
import { labelKey, parseInstant } from "@/lib/protocol/formats";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import { perProcess } from "@/lib/protocol/per-process";
import { escapeLike } from "@/lib/protocol/text";
import { extraUserFields, type ListUsersQuery, type User } from "./contract";
import { endsInGrants } from "./role-assignments";
import { shownRoles } from "./role-ends";
import { rolesWithinSite } from "./role-policy";
import { inEffectSql } from "./role-rows";
import { isConfirmedSql } from "./rows";

type Query = z.output<typeof ListUsersQuery>;

interface Row {
  id: string;
  login: string;
  name: string;
  tenant: string;
  emailAddress: string;
  registrationDate: string;
  system: boolean;
  lastLoginAt?: string | null;
  state?: NonNullable<User["state"]>;
  isLocked: boolean;
  lockedUntil: Date | null;
  grants: string;
  /** The rank of the match, if the list is sorted by it. */
  match?: string;
  emailConfirmed?: boolean | null;
}

const sortColumns = {
  login: "login",
  name: "name",
  emailAddress: "email_address",
  registrationDate: "registered_at",
} as const;
type SortField = keyof typeof sortColumns | "match";

/** How many users one statement of the complete list reads. */
const partSize = 1000;
const utc = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const extraColumns = {
  lastLoginAt: `${utc("u.last_login_at")} as "lastLoginAt"`,
  state: "u.state",
} as const;
type ExtraField = keyof typeof extraColumns;

/** The columns of a user as one flat row. */
function columns(extra: readonly ExtraField[]): string {
  const fixed = `u.user_id as id, u.login, u.name, u.home_tenant_id as tenant, u.email_address as "emailAddress", ${utc("u.registered_at")} as "registrationDate",
    u.is_locked as "isLocked", u.locked_until as "lockedUntil", u.is_system as system, u.grants`;
  return [fixed, ...extra.map((field) => extraColumns[field])].join(", ");
}

function sortOf(query: Query): { field: SortField; direction: "asc" | "desc" } {
  const isDescending = query.sort.startsWith("-");
  return {
    field: (isDescending ? query.sort.slice(1) : query.sort) as SortField,
    direction: isDescending ? "desc" : "asc",
  };
}

/** The conditions of a query; `add` turns a value into its parameter. */
function conditions(
  query: Query,
  siteId: string | undefined,
  add: (value: unknown) => string,
): string[] {
  const found = ["u.tenant_id = $1"];
  const holds = (site?: string, role?: string) =>
    `exists (select 1 from role_assignments h where h.tenant_id = $1 and h.user_id = u.user_id and ${inEffectSql("h")}${site ? ` and h.site_id = ${site}` : ""}${role ? ` and h.role_id = ${role}` : ""})`;
  if (siteId) found.push(holds(add(siteId)));
  if (query.site !== undefined || query.role !== undefined) {
    found.push(
      holds(
        query.site === undefined ? undefined : add(query.site),
        query.role === undefined ? undefined : add(query.role),
      ),
    );
  }
  if (query.q) found.push(`u.search_text like ${add(`%${escapeLike(query.q.toLowerCase())}%`)}`);
  if (query.lock !== undefined)
    found.push(`${userLockedSql("u", add(new Date()))} = ${add(query.lock)}`);
  if (query.state !== undefined) found.push(`u.state = ${add(query.state)}`);
  return found;
}

/** The sort expression of the list: a column, or the rank of the match followed by the login. */
function sortedBy(query: Query, add: (value: unknown) => string): string {
  const { field } = sortOf(query);
  if (field !== "match") return `u.${sortColumns[field]}`;
  const exact = add(labelKey(query.q ?? ""));
  const start = add(`${escapeLike(labelKey(query.q ?? ""))}%`);
  return `(case when u.login_key = ${exact} or lower(u.name) = ${exact} or lower(u.email_address) = ${exact} then '0'
    when u.login_key like ${start} then '1' else '2' end || u.login) collate "C"`;
}

/** The only site whose users and roles the caller may see, if its role is limited to a site. */
const visibleSite = (caller: Caller) => siteOfScope(caller, "user.read");

async function readPart(
  caller: Caller,
  query: Query,
  limit: number,
  after: string[] | undefined,
): Promise<readonly Row[]> {
  const values: unknown[] = [caller.tenantId];
  const add = (value: unknown) => `$${values.push(value)}`;
  const siteId = visibleSite(caller);
  const where = conditions(query, siteId, add);
  const { field, direction } = sortOf(query);
  const column = sortedBy(query, add);
  const extra = extraUserFields.filter((one) => query.fields?.includes(one));
  // Logins are unique in a tenant: no second column is needed for a stable order, and the index has this one.
  const order =
    field === "login" ? `${column} ${direction}` : `${column} ${direction}, u.user_id ${direction}`;
  if (after) {
    const cast = field === "registrationDate" ? "::timestamptz" : "";
    where.push(
      `(${column}, u.user_id) ${direction === "asc" ? ">" : "<"} (${add(after[0])}${cast}, ${add(after[1])})`,
    );
  }
  const shown = field === "match" ? `${columns(extra)}, ${column} as match` : columns(extra);
  const text = `select ${shown} from users u where ${where.join(" and ")}
    order by ${order} limit ${add(limit)}`;
  // A search may scan every user of the tenant: it is not batched with other reads, so that no short read waits for it. It is not a
  // prepared statement: a generic plan would scan the users in order, which is slow if few or none match.
  return query.q
    ? (await db().$client.query<Row>({ text, values })).rows
    : read<Row>(`users ${textKey(text)}`, text, values);
}

/** Explicit members instead of a spread, for speed: this runs for every user of every list. */
function toUser(row: Row, tenantId: string, siteId: string | undefined, now: Date): User {
  const {
    id,
    login,
    name,
    tenant,
    emailAddress,
    registrationDate,
    system,
    lastLoginAt,
    state,
    emailConfirmed,
  } = row;
  const userRoles = { [tenantId]: rolesWithinSite(parseGrants(row.grants), siteId) };
  const user: User = {
    id,
    login,
    name,
    userRoles,
    tenant,
    emailAddress,
    registrationDate,
    lock: isLockedAt(row, now),
    system,
  };
  if (lastLoginAt !== undefined) user.lastLoginAt = lastLoginAt;
  if (state !== undefined) user.state = state;
  if (typeof emailConfirmed === "boolean" && isMailOn()) user.emailConfirmed = emailConfirmed;
  return user;
}

function toUsers(caller: Caller, rows: readonly Row[]): User[] {
  const siteId = visibleSite(caller);
  const now = new Date();
  return rows.map((row) => toUser(row, caller.tenantId, siteId, now));
}

const cursorOf = (query: Query) => (row: Row) => [row[sortOf(query).field] ?? "", row.id];

function startOf(query: Query): string[] | undefined {
  const isDate = sortOf(query).field === "registrationDate";
  return readCursor(
    query.cursor,
    2,
    (value, index) => !isDate || index === 1 || parseInstant(value) !== undefined,
  );
}

/** Pages built from rows that requests share: from one statement with the same values, so for one tenant, site and query. */
const pages = perProcess("user-pages", () => new WeakMap<readonly Row[], Page<User>>());

/**
 * A page of the tenant's users. Concurrent requests for the same page share its rows, the users built from them and the response
 * text: the shared statement starts after each of them arrived.
 */
export async function listUserPage(
  caller: Caller,
  query: Query,
  limit: number,
): Promise<Page<User>> {
  const rows = await readPart(caller, query, limit + 1, startOf(query));
  const known = pages().get(rows);
  if (known) return known;
  const cut = cutPage(rows, limit, cursorOf(query));
  const page = { items: shareBody(toUsers(caller, cut.items)), next: cut.next };
  pages().set(rows, page);
  return page;
}

/** All of the tenant's users, or all after the cursor, a thousand at a time: memory does not grow with the tenant. */
export async function* listAllUsers(caller: Caller, query: Query): AsyncGenerator<User[]> {
  for (let after = startOf(query); ; ) {
    const rows = await readPart(caller, query, partSize, after);
    yield toUsers(caller, rows);
    const last = rows.at(-1);
    if (rows.length < partSize || !last) return;
    after = cursorOf(query)(last);
  }
}

/** One user of the tenant with its state, or undefined. */
export async function findUser(
  caller: Caller,
  userId: string,
  siteId?: string,
  within?: Transaction,
): Promise<User | undefined> {
  const values: unknown[] = [caller.tenantId, userId];
  const text = `select ${columns(extraUserFields)}, ${isConfirmedSql} as "emailConfirmed" from users u where u.tenant_id = $1 and u.user_id = $2${
    siteId
      ? ` and exists (select 1 from role_assignments h where h.tenant_id = $1 and h.user_id = u.user_id and h.site_id = $3 and ${inEffectSql("h")})`
      : ""
  }`;
  const given = siteId ? [...values, siteId] : values;
  const [row] = await read<Row>(`user ${textKey(text)}`, text, given, within);
  if (!row) return undefined;
  const user = toUser(row, caller.tenantId, siteId, new Date());
  const ends = endsInGrants(row.grants);
  if (ends.size === 0) return user;
  const roles = rolesWithinSite(parseGrants(row.grants), siteId);
  return { ...user, userRoles: { [caller.tenantId]: shownRoles(roles, ends) } };
}

/** One user if the caller may see it: with a role for one site only users with a role at that site. */
export const findVisibleUser = (caller: Caller, userId: string, within?: Transaction) =>
  findUser(caller, userId, visibleSite(caller), within);
