import { createServer } from "node:net";
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { cutConnections, failureOf } from "@/lib/database/testing/failing";
import { foreignKeyViolation, isNodeAway, isSpent } from "./failures";
import {
  closeStore,
  db,
  isStatementTimeout,
  isStoreDown,
  read,
  transaction,
  uniqueViolation,
} from "./open";

const { server } = inject("testStore");

afterEach(async () => {
  vi.unstubAllEnvs();
  await closeStore();
});

describe("a clash is recognised", () => {
  const clash = (members: object) =>
    new Error("Failed query", {
      cause: Object.assign(new Error("duplicate"), { code: "23505" }, members),
    });

  test("by its constraint", () =>
    expect(uniqueViolation(clash({ constraint: "api_keys_name_unique" }))).toBe(
      "api_keys_name_unique",
    ));
  test("on a cluster, where only the message has the name, with a shard's number", () =>
    expect(
      uniqueViolation(
        clash({
          message: 'duplicate key value violates unique constraint "api_keys_name_unique_102063"',
        }),
      ),
    ).toBe("api_keys_name_unique"));
  test("and another error is not", () =>
    expect(uniqueViolation(Object.assign(new Error("nope"), { code: "23503" }))).toBeUndefined());

  test.each([
    ["23503", "users_tenant_fk", "users_tenant_fk"],
    ["23503", undefined, "refused_requests_tenant_fk"],
    ["XX000", undefined, "refused_requests_tenant_fk"],
  ])(
    "a foreign key violation has the key's name in the schema: %s %s",
    (code, constraint, name) => {
      const message =
        'insert or update on table "refused_requests_102228" violates foreign key constraint "refused_requests_tenant_fk_102228"';
      const error = Object.assign(new Error(message), { code, constraint, severity: "ERROR" });
      expect(foreignKeyViolation(new Error("Failed query", { cause: error }))).toBe(name);
      expect(uniqueViolation(error)).toBeUndefined();
      // Our own message may contain a caller's text.
      const own = Object.assign(new Error(message), { code: "XX000" });
      expect(foreignKeyViolation(own)).toBeUndefined();
    },
  );
});

describe("a node of the cluster that is away", () => {
  const reported = (code: string, message: string, severity?: string) =>
    new Error("Failed query", { cause: Object.assign(new Error(message), { code, severity }) });
  const uncommitted = "could not commit transaction for shard 102041 on at least one active node";
  const essential = "failure on connection marked as essential: 127.0.0.1:5433";

  test.each([
    ["before a statement", reported("08006", "connection to the remote node failed", "ERROR")],
    ["in the middle of a transaction", reported("XX000", essential, "ERROR")],
    ["while it commits", reported("XX000", uncommitted, "ERROR")],
  ])("%s: the store is away, and the connection to the coordinator is good", (_, error) => {
    expect([isNodeAway(error), isStoreDown(error), isSpent(error)]).toEqual([true, true, false]);
  });

  test("is not detected in a caller's text or in another failure of the server", () => {
    const others = [
      reported("XX000", "cache lookup failed", "ERROR"),
      reported("22P02", essential, "ERROR"),
      reported("XX000", essential),
    ];
    expect(others.map((error) => [isNodeAway(error), isStoreDown(error)])).toEqual(
      others.map(() => [false, false]),
    );
  });
});

describe("a store that cannot be used is distinguished from a wrong statement", () => {
  const downAt = async (url: string) => {
    vi.stubEnv("DATABASE_URL", url);
    vi.stubEnv("STORE_TIMEOUT_MS", undefined);
    const errors = await Promise.all([
      failureOf(async () => db().execute(sql`select 1`)),
      failureOf(read("one", "select 1", [])),
      failureOf(transaction((tx) => tx.execute(sql`select 1`))),
    ]);
    return errors.map(isStoreDown);
  };

  test("nothing listens", async () =>
    expect(await downAt("postgres://gatehouse@127.0.0.1:9/none")).toEqual([true, true, true]));
  test("the socket is gone", async () =>
    expect(await downAt("postgres://gatehouse@localhost/none?host=/nowhere")).toEqual([
      true,
      true,
      true,
    ]));
  test("it is not open yet", async () => expect(await downAt("")).toEqual([true, true, true]));

  test("it accepts and never answers", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const address = silent.address();
    const down = await downAt(
      `postgres://gatehouse@127.0.0.1:${typeof address === "object" ? address?.port : ""}/none`,
    );
    await closeStore();
    silent.close();
    expect(down).toEqual([true, true, true]);
  });

  test("it ends a connection in the middle of a transaction, and the process continues", async () => {
    const error = await failureOf(
      transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        await cutConnections(server);
        await tx.execute(sql`select 1`);
      }),
    );
    expect(isStoreDown(error)).toBe(true);
    expect((await db().execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
  });

  test("a statement that is wrong, or that took too long, is neither", async () => {
    expect(isStoreDown(await failureOf(db().execute(sql`select nothing`)))).toBe(false);
    const slow = await failureOf(
      transaction(async (tx) => [
        await tx.execute(sql`set local statement_timeout = 20`),
        await tx.execute(sql`select pg_sleep(1)`),
      ]),
    );
    expect([isStoreDown(slow), isStatementTimeout(slow)]).toEqual([false, true]);
  });
});
