import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { db } from "@/lib/database/open";
import { onServer } from "@/lib/database/testing/databases";
import { type Send, testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let tenant: string;
let feed: { headers: Record<string, string>; apiKeyId: string };
let reader: Record<string, string>;

beforeAll(async () => {
  tenant = await makeTenant();
  feed = await makeApiKey(
    tenant,
    (await makeUser(tenant, { roleIds: ["portal.data-feed.mgmt"] })).userId,
  );
  reader = (
    await makeApiKey(
      tenant,
      (
        await makeUser(tenant, { roleIds: ["portal.analytics.mgmt"] })
      ).userId,
    )
  ).headers;
});

const time = () => new Date(Date.now() - 60_000).toISOString();
const cell = (more: object = {}) => ({
  time: time(),
  domain: "search",
  endpoint: "/search/{index}",
  method: "GET",
  status: 200,
  count: 10,
  ...more,
});
const report = (cells: object[], batchId: string = randomUUID(), to: Send = send) =>
  to("POST /v1/api-metrics/events", { headers: feed.headers, body: { batchId, cells } });

async function counted(query: string): Promise<Record<string, number>> {
  const [from, to] = [
    new Date(Date.now() - 3_600_000).toISOString(),
    new Date(Date.now() + 600_000).toISOString(),
  ];
  const { body } = await send(`GET /v1/api-metrics/metrics/top?from=${from}&to=${to}&${query}`, {
    headers: reader,
  });
  return Object.fromEntries(
    body.map((one: { groups: object; count: number }) => [
      Object.values(one.groups).join(" "),
      one.count,
    ]),
  );
}

describe("202", () => {
  test("cells of another service are counted under their own domain, key and site", async () => {
    const answer = await report([
      cell({ site: "one", apiKeyId: feed.apiKeyId, latency: [{ ms: 12, count: 10 }] }),
      cell({ status: 503, count: 2 }),
    ]);
    expect(answer).toMatchObject({ status: 202, body: { cells: 2, calls: 12 } });
    expect(await counted("group=endpoint&group=status&domain=search")).toEqual({
      "GET /search/{index} 200": 10,
      "GET /search/{index} 503": 2,
    });
    expect(await counted("group=apiKey&group=site&domain=search")).toEqual({
      [`${feed.apiKeyId} one`]: 10,
      " ": 2,
    });
  });

  test("an endpoint with commas is queried as it was reported", async () => {
    await report([cell({ domain: "maps", endpoint: "/maps/@52.5,13.4" })]);
    const endpoint = encodeURIComponent("GET /maps/@52.5,13.4");
    expect(await counted(`group=endpoint&endpoint=${endpoint}`)).toEqual({
      "GET /maps/@52.5,13.4": 10,
    });
  });

  test("a batch sent 4 times in parallel counts once and gets the same response each time", async () => {
    const cells = [cell({ domain: "once", count: 3 })];
    const batchId = randomUUID();
    // A new store plans its first batch, which takes a cluster more than a second.
    await report([cell({ domain: "before" })]);
    const answers = await Promise.all(Array.from({ length: 4 }, () => report(cells, batchId)));
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(202));
    expect(await counted("group=domain&domain=once")).toEqual({ once: 3 });
  });

  // Citus supports no triggers on distributed tables.
  test.skipIf(inject("testStore").isSharded)(
    "an interrupted batch continues where it stopped when it is sent again",
    async () => {
      const run = (text: string) => onServer(process.env.DATABASE_URL ?? "", text);
      const batchId = randomUUID();
      const cells = Array.from({ length: 600 }, (_, n) => cell({ domain: "part", count: n + 1 }));
      await run(`create function before_part() returns trigger language plpgsql as $$ begin
      if new.source = 'batch ${batchId}' and new.seq = 2 then raise exception 'broken off'; end if; return new; end $$;
      create trigger before_part before insert on metric_batches for each row execute function before_part()`);
      try {
        expect((await report(cells, batchId)).status).toBe(500);
      } finally {
        await run("drop trigger before_part on metric_batches; drop function before_part()");
      }
      const { part: first = 0 } = await counted("group=domain&domain=part");
      expect(first).toBeGreaterThan(0);
      const whole = (600 * 601) / 2;
      expect(first).toBeLessThan(whole);
      for (const _ of [1, 2]) expect((await report(cells, batchId)).status).toBe(202);
      expect(await counted("group=domain&domain=part")).toEqual({ part: whole });
    },
  );

  test("times up to 3 years back are accepted", async () => {
    expect(
      (await report([cell({ time: new Date(Date.now() - 1000 * 86_400_000).toISOString() })]))
        .status,
    ).toBe(202);
  });
});

describe("409", () => {
  test("the same batch id with other cells", async () => {
    const batchId = randomUUID();
    await report([cell()], batchId);
    expect(await report([cell({ count: 11 })], batchId)).toMatchObject({
      status: 409,
      body: { code: "metrics.batch-id-reused" },
    });
  });
});

describe("400", () => {
  test.each([
    ["/cells/0/time", { time: "2020-01-01T00:00:00Z" }],
    ["/cells/0/time", { time: new Date(Date.now() + 86_400_000).toISOString() }],
    ["/cells/0/domain", { domain: "search,mail" }],
    ["/cells/0/domain", { domain: "__other__" }],
    ["/cells/0/site", { site: "nowhere" }],
    ["/cells/0/apiKeyId", { apiKeyId: "key_unknown" }],
    ["/cells/0/count", { count: 0 }],
    ["/cells/0/status", { status: 99 }],
    ["/cells/0/colour", { colour: "red" }],
  ])("%s", async (pointer, wrong) => {
    expect(await report([cell(wrong)])).toMatchObject({ status: 400, body: { reason: pointer } });
  });
});

describe("413", () => {
  test("more than 1,000 cells", async () => {
    expect((await report(Array(1000).fill(cell({ domain: "many" })))).status).toBe(202);
    expect(await report(Array(1001).fill(cell()))).toMatchObject({
      status: 413,
      body: { code: "request.too-many-items", reason: "/cells,1000" },
    });
  });

  test("a million numbers as cells, rejected without parsing each", async () => {
    const raw = `{"batchId":"a","cells":[${"1,".repeat(999_999)}1]}`;
    const headers = { ...feed.headers, "Content-Type": "application/json" };
    const answer = await send("POST /v1/api-metrics/events", { headers, raw });
    expect(answer).toMatchObject({ status: 413, body: { code: "request.too-many-items" } });
  });
});

describe("503", () => {
  const impatient = testServer({ limits: { queueMs: 1000 } });
  const reportThere = (domain: string) => report([cell({ domain })], undefined, impatient);

  test("more concurrent batches of a tenant than may wait for each other, with Retry-After", async () => {
    const client = await db().$client.connect();
    const waiting =
      "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and query like '%with fresh as%' and pid <> pg_backend_pid() and datname = current_database()";
    try {
      await client.query("begin");
      await client.query("set local idle_in_transaction_session_timeout = 0");
      await client.query("lock table metric_batches in exclusive mode");
      const first = reportThere("first");
      for (;;) {
        // A transaction reads pg_stat_activity once, unless its snapshot is cleared.
        await client.query("select pg_stat_clear_snapshot()");
        const { rows } = await client.query<{ count: number }>(waiting);
        if ((rows[0]?.count ?? 0) > 0) break;
      }
      const more = Array.from({ length: 12 }, () => reportThere("more"));
      const refused = await Promise.race(more);
      expect(refused).toMatchObject({ status: 503, body: { code: "server.overloaded" } });
      expect(refused.headers.get("retry-after")).toBe("1");
      await client.query("rollback");
      const answers = await Promise.all([first, ...more]);
      expect(answers.every(({ status }) => status === 202 || status === 503)).toBe(true);
      const landed = answers.filter(({ status }) => status === 202).length;
      const sums = Object.values(await counted("group=domain&domain=first&domain=more"));
      expect(sums.reduce((sum, one) => sum + one, 0)).toBe(10 * landed);
    } finally {
      client.release(true);
    }
  });
});

describe("403", () => {
  test("a key without the permission", async () => {
    const answer = await send("POST /v1/api-metrics/events", {
      headers: reader,
      body: { batchId: "a", cells: [cell()] },
    });
    expect(answer).toMatchObject({ status: 403, body: { reason: "api-metric.write" } });
  });

  test("a role at a site can report only that site's calls", async () => {
    const { userId } = await makeUser(tenant, { sites: { one: ["portal.data-feed.mgmt"] } });
    const headers = { ...(await makeApiKey(tenant, userId)).headers, "X-Service-Site": "one" };
    const send1 = (site: string) =>
      send("POST /v1/api-metrics/events", {
        headers,
        body: { batchId: randomUUID(), cells: [cell({ site })] },
      });
    expect([(await send1("one")).status, (await send1("two")).status]).toEqual([202, 403]);
  });
});
