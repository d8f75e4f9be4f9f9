import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { newId } from "@/lib/database/ids";
import { closeStore, db } from "@/lib/database/open";
import { secondFactors } from "@/lib/database/schema/schema";
import { onServer } from "@/lib/database/testing/databases";
import { onEmptyStore } from "@/lib/database/testing/empty-store";
import { type FaultyProxy, startFaultyProxy } from "@/lib/database/testing/faulty-proxy";
import { log } from "@/lib/protocol/log";
import { resetPerProcess } from "@/lib/protocol/per-process";
import { administrators, firstRun } from "@/lib/setup/seed";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { explainFailure } from "./failures";
import { prepareStore } from "./introduce";

const url = "http://localhost:3000";
const passwordIn = (lines: string[]) => / {2}Password {3}(\S+)/.exec(lines.join("\n"))?.[1] ?? "";

let direct: string;
let proxy: FaultyProxy;

/** Runs the work on an empty store that is reached through the proxy. */
const behindProxy = (work: () => Promise<void>) =>
  onEmptyStore(async () => {
    direct = process.env.DATABASE_URL ?? "";
    proxy = await startFaultyProxy(direct);
    vi.stubEnv("DATABASE_URL", proxy.url);
    await closeStore();
    try {
      await work();
    } finally {
      proxy.inflict("pass");
      await closeStore();
      await proxy.close();
    }
  });

let waits = 0;

beforeEach(() => {
  waits = 0;
  vi.spyOn(log(), "warn").mockImplementation((...given: unknown[]) => {
    if (given[1] === "waiting for the store") waits += 1;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** The work of a process on the store between its start and its background jobs. */
async function start(): Promise<string[]> {
  await closeStore();
  resetPerProcess("signing-keys");
  await prepareStore();
  return firstRun({ url });
}

/** Starts while every connection is reset from the packet of this number on, until the start waits for the store. */
async function startResetAt(packet: number) {
  waits = 0;
  const isReached = proxy.inflictAfter(packet, "reset");
  const started = { isOver: false };
  const lines = start().finally(() => {
    started.isOver = true;
  });
  while (!started.isOver && waits === 0) await pause(5);
  proxy.inflict("pass");
  return { lines: await lines, isReached: isReached() };
}

describe("a start at another host than passkeys were made for", () => {
  const withPasskey = (work: () => Promise<void>) =>
    onEmptyStore(async () => {
      await start();
      const tenantId = await makeTenant();
      const { userId } = await makeUser(tenantId);
      const now = new Date();
      await db()
        .insert(secondFactors)
        .values({
          ...{ tenantId, userId, factorId: newId("fac"), kind: "passkey", name: "laptop" },
          ...{
            secret: randomBytes(77),
            credentialId: randomBytes(32),
            userHandle: randomBytes(32),
          },
          ...{ createdAt: now, confirmedAt: now, rpId: "portal.example", signCount: 0 },
        });
      await work();
    });

  test("is rejected with both hosts and the alternatives in the message; the right host starts", () =>
    withPasskey(async () => {
      vi.stubEnv("PUBLIC_URL", "https://other.example");
      await expect(prepareStore()).rejects.toThrow(
        /other\.example, and 1 passkeys were made for portal\.example.*PASSKEYS_OF_OTHER_HOST=end/,
      );
      vi.stubEnv("PUBLIC_URL", "https://portal.example");
      await prepareStore();
    }));

  test("continues if the operator confirms that they end", () =>
    withPasskey(async () => {
      vi.stubEnv("PUBLIC_URL", "https://other.example");
      vi.stubEnv("PASSKEYS_OF_OTHER_HOST", "end");
      await prepareStore();
    }));
});

test("a start needs no node of a cluster but the coordinator", () =>
  onEmptyStore(async () => {
    await start();
    await db().execute(sql`create function away() returns setof second_factors language plpgsql as
      $$ begin raise sqlstate '08006' using message = 'connection to the remote node failed'; end $$`);
    await db().execute(sql`alter table second_factors rename to kept`);
    await db().execute(sql`create view second_factors as select * from away()`);
    await prepareStore();
    expect(waits).toBe(0);
  }));

describe("a start whose store becomes unavailable", () => {
  test("at any packet still serves, on a store with tenants", () =>
    behindProxy(async () => {
      await start();
      let packet = 1;
      for (let isReached = true; isReached; packet += 1) {
        const started = await startResetAt(packet);
        expect(started.lines.join()).toContain("npm run reset-password");
        isReached = started.isReached;
      }
      // The migration, the keys and the reminder have their own connections.
      expect(packet).toBeGreaterThan(12);
    }));

  test.each([1, 12, 18, 20, 22, 24, 26, 28, 30, 33, 36])(
    "at packet %i prints the one-time password of a fresh store",
    (packet) =>
      behindProxy(async () => {
        const { lines, isReached } = await startResetAt(packet);
        expect(isReached).toBe(true);
        expect(passwordIn(lines).length).toBeGreaterThan(10);
      }),
  );

  test("and loses the response to the first run's COMMIT prints the stored password", () =>
    behindProxy(async () => {
      await prepareStore();
      proxy.inflict("lose-commit");
      const lines = firstRun({ url });
      while (waits === 0) await pause(5);
      proxy.inflict("pass");
      expect(passwordIn(await lines).length).toBeGreaterThan(10);
      const made = await onServer(direct, "select login from users where tenant_id = 'platform'");
      expect(made).toEqual([{ login: administrators.platform }]);
    }));

  test("still serves if only the reminder cannot be read", () =>
    behindProxy(async () => {
      await start();
      await onServer(direct, "alter table users rename column last_login_at to elsewhere");
      expect(await firstRun({ url })).toEqual([]);
    }));
});

describe("the reason of a start that gave up", () => {
  const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

  test.each([
    [new Error("timeout expired"), "The store cannot be reached: timeout expired"],
    [failure("ECONNREFUSED", "refused"), "The store cannot be reached: refused"],
    [failure("ENOTFOUND", "no db.example"), "The store cannot be reached: no db.example"],
    [failure("53100", "No space left"), /^The store's disk is full\. Make room/],
    [failure("ENOSPC", "no space"), /^The disk is full\. Make room and start again: no space/],
    [new Error(`SECRET_KEY ${randomUUID().slice(0, 8)}`), /^SECRET_KEY/],
  ])("%s", (error, reason) => {
    expect(explainFailure(error)).toMatch(reason);
  });
});
