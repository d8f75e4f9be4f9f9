import { beforeAll, describe, expect, test } from "vitest";
import { at, makeSampleCalls, range, start } from "@/lib/features/metrics/testing/sample-calls";
import { testServer } from "@/lib/http/testing/test-server";

const send = testServer();
let headers: Record<string, string>;

beforeAll(async () => {
  ({ headers } = await makeSampleCalls());
});

describe("beside it", () => {
  const get = (path: string, accept?: string) =>
    send(`GET /v1/api-metrics/metrics/${path}`, {
      headers: { ...headers, ...(accept ? { Accept: accept } : {}) },
    });

  test("top: groups, counts and shares", async () => {
    const { body } = await get(`top?${range}&group=domain&limit=1`);
    expect(body).toEqual([{ groups: { domain: "user" }, count: 7, share: 0.636364 }]);
    expect((await get(`top?${range}`)).body).toMatchObject({ reason: "?group" });
  });

  test("export: the same numbers as JSON, CSV and NDJSON", async () => {
    const query = `export?${range}&period=hour&group=domain`;
    const { body } = await get(query);
    expect(body[0]).toEqual({ time: at(start), groups: { domain: "user" }, count: 7 });
    const csv = await get(query, "text/csv");
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(csv.text.split("\r\n").slice(0, 2)).toEqual([
      "time,domain,count",
      `${at(start)},user,7`,
    ]);
    const lines = (await get(query, "application/x-ndjson")).text.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(body);
  });

  test.each(["timeserie-counts?", "timeserie-latencies?", "export?", "top?group=domain&"])(
    "%s: an open range ends now, and the period is chosen for the resulting range",
    async (path) => {
      const from = new Date(Date.now() - 3_600_000).toISOString();
      const ask = (to: string) => get(`${path}from=${from}&to=${to}`);
      const [open, next, now] = await Promise.all(
        ["9999-12-31T23:59:59Z", "2199-01-01T00:00:00Z", new Date().toISOString()].map(ask),
      );
      expect([open?.status, next?.status]).toEqual([200, 200]);
      const isMinutes = ({ times }: { times?: string[] }) =>
        times === undefined || [60, 61].includes(times.length);
      expect([open, next, now].map((one) => isMinutes(one?.body))).toEqual([true, true, true]);
      const behind = await get(`${path}from=2198-01-01T00:00:00Z&to=2199-01-01T00:00:00Z`);
      expect(behind.status).toBe(200);
      expect(behind.body.times ?? []).toEqual([]);
    },
  );

  test("latencies: null for periods without calls", async () => {
    const { body } = await get(
      `timeserie-latencies?${range}&period=hour&quantile=p50&quantile=p99`,
    );
    expect(body.series).toEqual(
      ["p50", "p99"].map((quantile) => ({ groups: { quantile }, values: [null, null, null] })),
    );
    for (const wrong of ["quantile=half", "quantile=p50,p50", "quantile=p50&quantile[]=p95"])
      expect(await get(`timeserie-latencies?${range}&${wrong}`)).toMatchObject({
        status: 400,
        body: { reason: "?quantile" },
      });
  });

  test("metadata: the available values and allowed queries", async () => {
    const { body } = await send("GET /v1/api-metrics/metadata", { headers });
    expect(body).toMatchObject({
      domains: ["pim", "user"],
      sites: ["one", "two"],
      statuses: ["200", "404", "500"],
      isSynthetic: false,
    });
    expect(body.countedSince).toBe(at(start));
    expect(body.limits).toMatchObject({ buckets: 1500, series: 100, cells: 100_000 });
  });
});
