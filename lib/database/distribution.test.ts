import { parseSync } from "libpg-query";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { errorLine } from "@/lib/protocol/error-summary";
import { connect } from "./connection";
import {
  distributeStatement,
  distributeStore,
  planDistribution,
  readStoreTables,
  type StoreTable,
  truncateStatement,
} from "./distribution";
import { databaseUrl, dropDatabase, makeDatabase } from "./testing/databases";
import { loadParser } from "./testing/syntax";

let tables: StoreTable[];

async function onSchema<T>(
  work: (client: Awaited<ReturnType<typeof connect>>["client"]) => Promise<T>,
) {
  const { client, destroy } = await connect(
    { connectionString: process.env.DATABASE_URL },
    undefined,
  );
  try {
    return await work(client);
  } finally {
    destroy();
  }
}

beforeAll(async () => {
  await loadParser();
  const found = await onSchema(readStoreTables);
  // The store of the tests may already be distributed, so the plan is tested as if it were not.
  tables = found.map((one) => ({ ...one, isDistributed: false }));
});

const table = (name: string, given: Partial<StoreTable> = {}): StoreTable => ({
  ...{ name, hasTenant: true, isDistributed: false, parents: [], keysWithoutTenant: [] },
  ...given,
});

describe("the migrated schema can be sharded by tenant", () => {
  test("every key of a table with tenant_id contains it", () => {
    expect(tables.length).toBeGreaterThan(30);
    expect(() => planDistribution(tables)).not.toThrow();
  });

  test("the table tenants is first, and every table follows those that it refers to", () => {
    const plan = planDistribution(tables);
    expect(plan.tables[0]).toBe("tenants");
    for (const { name, parents, hasTenant } of tables)
      if (hasTenant)
        for (const parent of parents)
          expect(plan.tables.indexOf(parent), `${name} after ${parent}`).toBeLessThan(
            plan.tables.indexOf(name),
          );
  });

  test("tables without tenant_id stay on the coordinator, and no tenant's table refers to them", () => {
    const { local, tables: distributed } = planDistribution(tables);
    expect(local).toEqual(["signing_keys", "store_clock"]);
    expect(new Set([...local, ...distributed]).size).toBe(tables.length);
  });
});

describe("planning", () => {
  test("does nothing for tables that are already distributed", () => {
    const again = tables.map((one) => ({ ...one, isDistributed: one.hasTenant }));
    expect(planDistribution(again).tables).toEqual([]);
  });

  test("adds the table of a later migration", () => {
    const later = [
      ...tables.map((one) => ({ ...one, isDistributed: one.hasTenant })),
      table("later_table", { parents: ["tenants"] }),
    ];
    expect(planDistribution(later).tables).toEqual(["later_table"]);
  });

  test("rejects a key without tenant_id, and a reference to a table without one, with an explanation", () => {
    const key = [table("tenants"), table("keys", { keysWithoutTenant: ["keys_secret_unique"] })];
    expect(() => planDistribution(key)).toThrow(
      "keys cannot be sharded by tenant: keys_secret_unique does not contain tenant_id",
    );
    const reference = [
      table("countries", { hasTenant: false }),
      table("sites", { parents: ["countries"] }),
    ];
    expect(() => planDistribution(reference)).toThrow("refer to a table that is not sharded");
  });

  test("the other tables are co-located with tenants", () => {
    expect(distributeStatement("tenants")).toContain("colocate_with => 'none'");
    for (const name of planDistribution(tables).tables.slice(1)) {
      expect(distributeStatement(name)).toContain(
        `'public.${name}', 'tenant_id', colocate_with => 'tenants'`,
      );
      for (const statement of [distributeStatement(name), truncateStatement(name)])
        expect(() => parseSync(statement)).not.toThrow();
    }
  });
});

/** A coordinator that answers catalog queries and records all statements. */
function coordinator(catalogRows: readonly StoreTable[], left: readonly string[] = []) {
  const asked: string[] = [];
  const query = async (text: string) => {
    asked.push(text);
    if (text.includes("pg_db_role_setting")) return { rows: [] };
    if (text.includes("extversion")) return { rows: [{ version: "13.2-1" }] };
    if (text.includes("pg_dist_node")) return { rows: [{ nodes: 3 }] };
    if (text.includes("keysWithoutTenant")) return { rows: catalogRows };
    return { rows: text.includes("pg_relation_size") ? left.map((name) => ({ name })) : [] };
  };
  const changes = () => asked.filter((text) => /_distribut\w+_table\('/.test(text));
  return { client: { query } as never, changes };
}

describe("distributing", () => {
  test("distributes every table before the first truncation", async () => {
    const { client, changes } = coordinator(tables, planDistribution(tables).tables);
    await distributeStore(client);
    const count = planDistribution(tables).tables.length;
    expect(changes()).toHaveLength(2 * count);
    expect(changes().slice(0, count).join()).not.toContain("truncate");
    expect(changes().slice(count).join()).not.toContain("create_distributed_table");
  });

  test("truncates the rows that an interrupted run left on the coordinator", async () => {
    const again = tables.map((one) => ({ ...one, isDistributed: one.hasTenant }));
    const { client, changes } = coordinator(again, ["sites", "users"]);
    await distributeStore(client);
    expect(changes()).toEqual([truncateStatement("sites"), truncateStatement("users")]);
  });

  test("switches JIT off, and reports the nodes on which that failed, and why", async () => {
    const { client } = coordinator(tables);
    const query = Reflect.get(client, "query") as (text: string) => Promise<unknown>;
    const rejecting = async (text: string) => {
      if (text.startsWith("alter database")) throw new Error("must be owner");
      return text.includes("pg_db_role_setting")
        ? { rows: [{ node: "worker-1:5432" }] }
        : query(text);
    };
    expect(await distributeStore({ query: rejecting } as never)).toContain(
      "Set jit = off in this database of worker-1:5432: must be owner.",
    );
    expect((await distributeStore(client)).join()).not.toContain("jit");
  });

  test("on a cluster JIT is off on every node, and the result does not mention it", async () => {
    if (!inject("testStore").isSharded) return;
    await onSchema(async (client) => {
      expect((await distributeStore(client)).join()).not.toContain("jit");
    });
  });

  test("reports the server's message for a rejected statement", async () => {
    const { client } = coordinator(tables);
    const query = Reflect.get(client, "query") as (text: string) => Promise<unknown>;
    const rejecting = async (text: string) => {
      if (!text.includes("create_distributed_table")) return query(text);
      const detail = "Use another.";
      throw Object.assign(new Error("cannot distribute"), {
        code: "0A000",
        severity: "ERROR",
        detail,
      });
    };
    const failure = distributeStore({ query: rejecting } as never);
    await expect(failure).rejects.toThrow("'public.tenants'");
    await expect(failure.catch(errorLine)).resolves.toContain("cannot distribute. Use another.");
  });
});

test("a database without Citus is rejected with an explanation", async () => {
  const { server, run } = inject("testStore");
  const name = `${run}_without_citus`;
  await makeDatabase(server, name);
  const connection = await connect({ connectionString: databaseUrl(server, name) }, undefined);
  try {
    await expect(distributeStore(connection.client)).rejects.toThrow("Citus is not installed");
  } finally {
    connection.destroy();
    await dropDatabase(server, name);
  }
});
