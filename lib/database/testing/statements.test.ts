import { beforeAll, describe, expect, test } from "vitest";
import { tenantFault } from "./statements";
import { loadParser } from "./syntax";

const tables = new Set(["users", "sites", "tenants", "role_assignments"]);
const fault = (text: string) => tenantFault(text, tables);

beforeAll(loadParser);

describe("a statement that could affect two tenants is detected", () => {
  test.each([
    ["no condition", "select login from users"],
    ["another condition", "select login from users where user_id = $1"],
    ["a condition that need not hold", "select login from users where tenant_id = $1 or is_system"],
    ["a negated condition", "select login from users where not tenant_id = $1"],
    ["several tenants", "select login from users where tenant_id = any($1)"],
    ["a comparison with itself", "select login from users where tenant_id = tenant_id"],
    [
      "a join held on one side",
      "select u.login from users u join sites s on s.site_id = u.site_id where u.tenant_id = $1",
    ],
    [
      "a join held on neither side",
      "select u.login from users u join sites s on s.tenant_id = u.tenant_id",
    ],
    [
      "a join by USING held on neither side",
      "select u.login from users u join sites s using (tenant_id)",
    ],
    ["a subquery", "select login, (select count(1) from sites) from users where tenant_id = $1"],
    [
      "a correlated subquery that compares only inside",
      "select login from users where tenant_id = $1 and exists (select 1 from sites s where s.tenant_id = s.tenant_id)",
    ],
    [
      "a WITH part",
      "with gone as (delete from users where user_id = $1 returning user_id) select user_id from gone",
    ],
    [
      "half of a UNION",
      "select login from users where tenant_id = $1 union all select name from sites",
    ],
    ["a derived table", "select login from (select login from users) as everyone"],
    ["an update", "update users set name = $1 where user_id = $2"],
    [
      "an update from another table",
      "update users set name = s.name from sites s where users.tenant_id = $1 and s.site_id = $2",
    ],
    ["a delete", "delete from users where user_id = $1"],
    ["an insert without the column", "insert into users (user_id) values ($1)"],
    [
      "an insert that reads another tenant's rows",
      "insert into users (tenant_id, login) select $1, login from users",
    ],
    ["a table named with its schema", 'select "login" from "public"."users"'],
  ])("%s", (_, text) => expect(fault(text)).toBeDefined());
});

describe("a statement that breaks a rule of sharded tables is detected", () => {
  test.each([
    [
      "a conflict target without the tenant",
      "insert into users (tenant_id, user_id) values ($1, $2) on conflict (user_id) do nothing",
    ],
    ["the server's clock", "update users set last_login_at = now() where tenant_id = $1"],
    [
      "the server's clock by keyword",
      "insert into users (tenant_id, last_login_at) values ($1, current_timestamp)",
    ],
    ["a moved row", "update users set tenant_id = $2 where tenant_id = $1"],
    ["a star", "select * from users where tenant_id = $1"],
    ["a returned star", "delete from users where tenant_id = $1 returning *"],
    [
      "merge",
      "merge into users u using sites s on u.tenant_id = $1 and s.tenant_id = $1 when matched then delete",
    ],
  ])("%s", (_, text) => expect(fault(text)).toBeDefined());
});

describe("a statement limited to one tenant is accepted", () => {
  test.each([
    [
      "one table",
      'select "login" from "users" where ("users"."tenant_id" = $1 and "users"."user_id" = $2)',
    ],
    [
      "a join through the other table",
      "select u.login from users u left join sites s on s.tenant_id = u.tenant_id and s.site_id = $2 where u.tenant_id = $1",
    ],
    [
      "a join by USING",
      "select u.login from users u join sites s using (tenant_id) where u.tenant_id = $1",
    ],
    [
      "a correlated subquery",
      "select u.login, (select count(*) from role_assignments r where r.tenant_id = u.tenant_id) from users u where u.tenant_id = $1",
    ],
    [
      "an insert",
      "insert into users (tenant_id, user_id) values ($1, $2) on conflict (tenant_id, user_id) do update set user_id = excluded.user_id returning user_id",
    ],
    [
      "a bulk insert",
      "insert into users (tenant_id, user_id) select $1, id from unnest($2::text[]) as given (id)",
    ],
    [
      "an update from a list",
      "update users set name = given.name from unnest($2::text[]) as given (name) where users.tenant_id = $1",
    ],
    ["a delete", "delete from users where tenant_id = $1::text"],
    [
      "both halves of a UNION",
      "select login from users where tenant_id = $1 union all select name from sites where tenant_id = $1",
    ],
    ["no table of a tenant", "select pg_advisory_lock(1), now()"],
    ["a transaction's frame", "begin transaction isolation level read committed"],
  ])("%s", (_, text) => expect(fault(text)).toBeUndefined());
});
