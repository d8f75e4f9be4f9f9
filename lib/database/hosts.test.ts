import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connect, openWritable } from "./connection";
import { closeStore, read } from "./open";
import { failureOf } from "./testing/failing";
import { type FaultyProxy, startFaultyProxy } from "./testing/faulty-proxy";

let proxies: FaultyProxy[];
let both: string;

beforeEach(async () => {
  const direct = process.env.DATABASE_URL ?? "";
  vi.stubEnv("STORE_TIMEOUT_MS", undefined);
  await closeStore();
  proxies = [await startFaultyProxy(direct), await startFaultyProxy(direct)];
  const [first, second] = proxies.map(({ url }) => new URL(url));
  both = `${first}`.replace(`${first?.host}`, `${first?.host},${second?.host}`);
  vi.stubEnv(
    "DATABASE_URL",
    `${both}${both.includes("?") ? "&" : "?"}target_session_attrs=read-write`,
  );
});

afterEach(async () => {
  await closeStore();
  for (const proxy of proxies) await proxy.close();
  vi.unstubAllEnvs();
});

const ask = () => read("one", "select 1 as one", []);

test.each(["reset", "black-hole"] as const)(
  "the second of two servers is used while the first is lost (%s), and the first again after that",
  async (fault) => {
    await ask();
    for (const lost of [0, 1, 0]) {
      proxies[1 - lost]?.inflict("pass");
      proxies[lost]?.inflict(fault);
      await expect
        .poll(() => ask().then(() => "answered", String), { timeout: 100_000 })
        .toBe("answered");
    }
  },
);

test("a read-only server is skipped, and reported as read-only if there is no other", async () => {
  const readOnly = `${both}${both.includes("?") ? "&" : "?"}options=-c%20default_transaction_read_only%3Don`;
  expect(await failureOf(connect({ connectionString: readOnly }, undefined))).toMatchObject({
    code: "25006",
  });
  const opened = await openWritable(
    { connectionString: both },
    async (server, mustWrite) => {
      if (!mustWrite || server.connectionString?.includes(new URL(proxies[0]?.url ?? "").host))
        throw Object.assign(new Error("read-only"), { code: "25006" });
      return server.connectionString;
    },
    () => undefined,
  );
  expect(opened).toContain(new URL(proxies[1]?.url ?? "").host);
});
