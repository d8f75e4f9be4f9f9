import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { isOutcomeUnknown, storeFailure } from "./failures";
import { closeStore, currentStore, db, isStoreDown, read, storeState, transaction } from "./open";
import { sites } from "./schema/schema";
import { cutConnections, failureOf } from "./testing/failing";
import { type FaultyProxy, startFaultyProxy } from "./testing/faulty-proxy";
import { holdLock, lockWaits } from "./testing/lock-waits";
import { ask, askAccess, everyPlace, load, tenTimes, works } from "./testing/store-work";

const { server } = inject("testStore");
let direct: string;
let proxy: FaultyProxy;
let tenantId: string;
let acknowledged: string[];

beforeEach(async () => {
  await closeStore();
  direct = process.env.DATABASE_URL ?? "";
  proxy = await startFaultyProxy(direct);
  vi.stubEnv("DATABASE_URL", proxy.url);
  vi.stubEnv("STORE_TIMEOUT_MS", undefined);
  tenantId = `t-${randomUUID()}`;
  acknowledged = [];
});

afterEach(async () => {
  proxy.inflict("pass");
  await closeStore();
  await proxy.close();
  vi.unstubAllEnvs();
});

/** Adds one site in a transaction of two statements; recorded once it is acknowledged. */
async function write(): Promise<void> {
  const siteId = `s-${randomUUID()}`;
  await transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    await tx.insert(sites).values({ tenantId, siteId, name: siteId, createdAt: new Date() });
  });
  acknowledged.push(siteId);
}

async function lost(): Promise<string[]> {
  const rows = await db()
    .select({ id: sites.siteId })
    .from(sites)
    .where(eq(sites.tenantId, tenantId));
  const kept = new Set(rows.map(({ id }) => id));
  return acknowledged.filter((id) => !kept.has(id));
}

test("connections that are ended 60 times under 8 writers are replaced, and no acknowledged write is lost", async () => {
  let isOver = false;
  const writing = load(Array(8).fill(write), () => isOver);
  for (let round = 0; round < 60; round += 1) await cutConnections(server);
  isOver = true;
  const failures = await writing;
  expect(failures.filter((error) => !isStoreDown(error))).toEqual([]);
  // A connection that was being opened at the last cut may only fail now.
  await works(() => tenTimes(write));
  expect(await everyPlace()).toBe(10);
  expect(await lost()).toEqual([]);
});

describe("a store that stalls", () => {
  test("gets no more statements once that is detected, and is used again when it responds", async () => {
    await Promise.all([ask(), askAccess(), write()]);
    proxy.inflict("stall");
    await load(
      [ask, askAccess, write, write],
      () => currentStore().store.connections?.circuit.rejection() !== undefined,
    );
    // A rejection waits for nothing: a thousand of them take one turn of the event loop.
    const rejected = Array.from({ length: 1000 }, () => failureOf(ask()));
    expect((await Promise.all(rejected)).every(isStoreDown)).toBe(true);
    expect(isStoreDown(await failureOf(write()))).toBe(true);
    proxy.inflict("pass");
    for (const work of [ask, askAccess, write]) await works(work);
    expect(await lost()).toEqual([]);
    expect(await everyPlace()).toBe(10);
  });

  test("while there are no requests is not a fault", async () => {
    await ask();
    proxy.inflict("stall");
    proxy.inflict("pass");
    expect(await failureOf(ask())).toBeUndefined();
  });
});

describe.each(["freeze", "half-open"] as const)(
  "connections that go silent (%s) while new ones work",
  (fault) => {
    test("are replaced: reads and writes continue", async () => {
      await Promise.all([...Array(40).fill(ask), askAccess].map((work) => work()));
      await everyPlace();
      const { end, whenLocked } = await holdLock(direct);
      const slow = failureOf(transaction(whenLocked));
      await expect.poll(() => lockWaits("pg_advisory_xact_lock_shared")).toBe(1);
      proxy.inflict(fault);
      proxy.inflict("pass");
      await end();
      for (const work of [ask, askAccess, write]) await works(work);
      // It would never get a response, which is detected long before the longest statement timeout.
      expect(isStoreDown(await slow)).toBe(true);
      // The read that was repeated on another connection keeps no dead connection in use.
      expect(storeState()?.pipes.reads.waiting).toBe(0);
      expect(await lost()).toEqual([]);
      expect(await everyPlace()).toBe(10);
    });
  },
);

test("transactions that wait for one row when their connections freeze do not lock it one after the other", async () => {
  await write();
  const rename = sql`update sites set name = 'other' where tenant_id = ${tenantId}`;
  const { end, whenLocked } = await holdLock(direct);
  const renameSlowly = () =>
    transaction(async (tx) => {
      await tx.execute(rename);
      await whenLocked(tx);
    });
  const frozen = Promise.all(Array.from({ length: 9 }, () => failureOf(renameSlowly())));
  await expect.poll(() => lockWaits("^update .*sites")).toBe(8);
  proxy.inflict("freeze");
  proxy.inflict("pass");
  await end();
  // The server would end each of them only after it has locked the row for three seconds.
  await works(() => transaction((tx) => tx.execute(rename)));
  expect((await frozen).every(isStoreDown)).toBe(true);
  expect(await everyPlace()).toBe(10);
});

test("connections that are reset while idle fail no request", async () => {
  await Promise.all([ask(), askAccess(), everyPlace()]);
  proxy.inflict("reset");
  proxy.inflict("pass");
  for (const work of [ask, askAccess, write]) await works(work);
  expect(await everyPlace()).toBe(10);
});

test("connections that are reset while being opened leave no request waiting", async () => {
  let isOver = false;
  const asking = load([ask, ask, askAccess, write, write], () => isOver);
  for (let round = 0; round < 150; round += 1) {
    proxy.inflict("reset");
    proxy.inflict("pass");
    await new Promise((resolve) => setImmediate(resolve));
    if (round % 3 === 0) await failureOf(ask());
  }
  isOver = true;
  const failures = await asking;
  expect(failures.filter((error) => !isStoreDown(error))).toEqual([]);
  for (const work of [ask, askAccess, write]) await works(work);
  expect(await lost()).toEqual([]);
  expect(await everyPlace()).toBe(10);
});

test("on a slow network everything is answered, only later", async () => {
  // Connections are opened before: opening one may take two seconds, which a slow machine may already need.
  await Promise.all([ask(), askAccess(), write()]);
  proxy.inflict("drip");
  await Promise.all([ask(), askAccess(), write()]);
  expect(await lost()).toEqual([]);
});

test("a transaction without a response to its COMMIT fails with an unknown outcome", async () => {
  await write();
  proxy.inflict("lose-commit");
  const error = await failureOf(write());
  proxy.inflict("pass");
  expect([isStoreDown(error), isOutcomeUnknown(error)]).toEqual([true, true]);
  const rows = await db()
    .select({ id: sites.siteId })
    .from(sites)
    .where(eq(sites.tenantId, tenantId));
  expect(rows).toHaveLength(2);
  expect(await everyPlace()).toBe(10);
});

describe("a statement that is slow", () => {
  test("delays no other request, neither later reads nor writes", async () => {
    await ask();
    // On a slow machine the slow statement may end first, so this is tried again.
    const answered = async () => {
      const order: string[] = [];
      const slow = read("slow", "select pg_sleep(3)", []).finally(() => order.push("slow"));
      const behind = Array.from({ length: 60 }, (_, n) =>
        read(`behind-${n % 5}`, `select ${n % 5} as n`, []),
      );
      await Promise.all([
        slow,
        Promise.all(behind)
          .then(write)
          .then(() => order.push("others")),
      ]);
      return order;
    };
    await expect.poll(answered).toEqual(["others", "slow"]);
  });
});

describe("with a locked table", () => {
  /** Holds the lock on a connection outside the pools, until the work is done. */
  async function whileLocked(work: () => Promise<void>): Promise<void> {
    const client = new Client({ connectionString: direct });
    await client.connect();
    try {
      await client.query("begin; lock table refused_requests in access exclusive mode");
      await work();
    } finally {
      await client.end();
    }
  }
  const locked = "select count(*) from refused_requests where tenant_id = $1";
  const addLocked = () =>
    transaction((tx) =>
      tx.execute(sql`delete from refused_requests where tenant_id = ${tenantId}`),
    );

  test("40 simultaneous statements on it are rejected, and every other read and write is answered before", async () => {
    await everyPlace();
    await whileLocked(async () => {
      const order: string[] = [];
      const hopeless = Array.from({ length: 40 }, async (_, n) => {
        const error = await failureOf(
          n % 2 ? addLocked() : read(`locked-${n % 3}`, `${locked} and ${n % 3} >= 0`, [tenantId]),
        );
        order.push(storeFailure(error) ?? "done");
      });
      // Those use every connection by now; the others start while they wait.
      const others = Array.from({ length: 20 }, async () => {
        await Promise.all([write(), ask(), askAccess()]);
        order.push("other");
      });
      await Promise.all([...hopeless, ...others]);
      expect(order.filter((one) => one !== "other")).toEqual(Array(40).fill("busy"));
      // The few that may wait for the lock are rejected last.
      expect(order.lastIndexOf("other")).toBeLessThan(order.lastIndexOf("busy"));
      // Of a hundred new ones, all but a few are rejected in favour of later work.
      await Promise.all(Array.from({ length: 100 }, () => failureOf(addLocked())));
      await write();
    });
    await works(addLocked);
    expect(await lost()).toEqual([]);
  });
});
