import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { AwayTenants, everyNode, tenantOf } from "./blocked";
import { openCircuit } from "./circuit";
import { failed, isNodeAway, isSpent } from "./failures";
import { openPool } from "./pool";
import { databaseUrl, dropDatabase, makeDatabase, onServer } from "./testing/databases";
import { failureOf } from "./testing/failing";

const { server, run } = inject("testStore");
const name = `${run}_away`;
const url = databaseUrl(server, name);

/** Reads of `away` wait until the test releases them, and then fail as if the node were gone. */
const read = "select node_of(t.tenant_id) as node from tenants t where t.tenant_id = $1";
const gate = 7;

beforeAll(async () => {
  await makeDatabase(server, name);
  await onServer(
    url,
    `create table tenants (tenant_id text primary key);
     insert into tenants (tenant_id) values ('near'), ('away'), ('away too');
     create table nodes (is_away boolean);
     insert into nodes values (true);
     create function node_of(tenant text) returns text language plpgsql as $$ begin
       if tenant = 'near' or not (select is_away from nodes) then return 'there'; end if;
       perform pg_advisory_lock_shared(${gate});
       perform pg_advisory_unlock_shared(${gate});
       raise sqlstate '08006' using message = 'connection to the remote node failed';
     end $$`,
  );
});

afterAll(() => dropDatabase(server, name));

test("tenants of an unreachable node use two connections of a pool, and the others are served", async () => {
  const config = { connectionString: url };
  const [circuit, away] = [openCircuit(config), new AwayTenants()];
  const pool = openPool({ config, circuit, away, max: 4 });
  const holder = await pool.connect();
  const ask = (tenant: string) => pool.query<{ node: string }>(read, [tenant]);
  // The first read of each tenant detects it.
  for (const tenant of ["away", "away too"])
    expect(isNodeAway(await failureOf(ask(tenant)))).toBe(true);
  await holder.query("select pg_advisory_lock($1)", [gate]);
  let ended = 0;
  const asked = Array.from({ length: 40 }, (_, n) =>
    failureOf(ask(n % 2 === 0 ? "away" : "away too")).then((error) => {
      ended += 1;
      return error;
    }),
  );
  // All but two are rejected at once; none of them breaks its connection.
  await expect.poll(() => ended).toBe(38);
  for (let n = 0; n < 10; n += 1) expect((await ask("near")).rows).toEqual([{ node: "there" }]);
  expect(ended).toBe(38);
  expect(pool.state().lent).toBe(3);
  await holder.query("select pg_advisory_unlock($1)", [gate]);
  for (const error of await Promise.all(asked))
    expect([isNodeAway(error), isSpent(error)]).toEqual([true, false]);
  await onServer(url, "update nodes set is_away = false");
  for (const tenant of ["away", "away too"]) {
    await ask(tenant);
    await expect(Promise.all(Array.from({ length: 10 }, () => ask(tenant)))).resolves.toHaveLength(
      10,
    );
  }
  holder.release();
  await pool.end();
  circuit.close();
});

test("a statement timeout suspects the tenant's node, a rejected statement clears it, and no tenant is never suspected", () => {
  const away = new AwayTenants();
  away.failed("a", failed("57014", "canceling statement due to statement timeout"));
  away.failed("", failed("57014", "canceling statement due to statement timeout"));
  away.failed("b", failed("40001", "could not serialize access"));
  expect(["a", "", "b"].map((tenant) => away.has(tenant))).toEqual([true, false, false]);
  away.failed("a", failed("08006", "Connection terminated"));
  expect(away.has("a")).toBe(true);
  away.failed("a", failed("23505", "duplicate key value violates unique constraint"));
  expect(away.has("a")).toBe(false);
});

test("a statement that reads every node belongs to no tenant", () => {
  const text = "insert into notes (tenant_id) values ($1)";
  expect(tenantOf(text, ["a"])).toBe("a");
  expect(tenantOf(`${everyNode}${text}`, ["a"])).toBe("");
});
