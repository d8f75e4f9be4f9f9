import { parseSync } from "libpg-query";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { connect } from "./connection";
import {
  distributeStatements,
  distributeStore,
  planDistribution,
  readStoreTables,
  type StoreTable,
} from "./distribution";
import { databaseUrl } from "./testing/databases";
import { loadParser } from "./testing/syntax";

let tables: StoreTable[];

async function onSchema<T>(
  work: (client: Awaited<ReturnType<typeof connect>>["client"]) => Promise<T>,
) {
  const { server, run } = inject("testStore");
  const { client, destroy } = await connect(
    { connectionString: databaseUrl(server, run) },
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
  tables = await onSchema(readStoreTables);
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

  test("tenants come first, and every table after those that it refers to", () => {
    const plan = planDistribution(tables);
    expect(plan.tables[0]).toBe("tenants");
    for (const { name, parents, hasTenant } of tables)
      if (hasTenant)
        for (const parent of parents)
          expect(plan.tables.indexOf(parent), `${name} after ${parent}`).toBeLessThan(
            plan.tables.indexOf(name),
          );
  });

  test("what has no tenant stays on the coordinator, and nothing of a tenant refers to it", () => {
    const { local, tables: distributed } = planDistribution(tables);
    expect(local).toEqual(["signing_keys", "store_clock"]);
    expect(new Set([...local, ...distributed]).size).toBe(tables.length);
  });
});

describe("planning", () => {
  test("leaves what is distributed alone: done again it does nothing", () => {
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

  test("refuses a key without tenant_id, and a reference to a table without one, in words", () => {
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
    expect(distributeStatements("tenants")[0]).toContain("colocate_with => 'none'");
    for (const name of planDistribution(tables).tables.slice(1)) {
      const [distribute = "", truncate = ""] = distributeStatements(name);
      expect(distribute).toContain(`'public.${name}', 'tenant_id', colocate_with => 'tenants'`);
      for (const statement of [distribute, truncate])
        expect(() => parseSync(statement)).not.toThrow();
    }
  });
});

test("a database without Citus is refused in words", async () => {
  await onSchema((client) =>
    expect(distributeStore(client)).rejects.toThrow("Citus is not installed"),
  );
});
