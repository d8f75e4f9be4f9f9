import { beforeAll, describe, expect, test } from "vitest";
import { encodeLabels } from "@/lib/features/metrics/call-labels";
import { dayMs, hourMs, minuteMs } from "@/lib/features/metrics/grains";
import { writeCells } from "@/lib/features/metrics/write";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const hour = Math.floor(Date.now() / hourMs) * hourMs;
const at = (ms: number) => new Date(ms).toISOString();
let tenantId: string;
let headers: Record<string, string>;

beforeAll(async () => {
  tenantId = await makeTenant();
  const { userId } = await makeUser(tenantId, { roleIds: ["portal.analytics.mgmt"] });
  headers = (await makeApiKey(tenantId, userId)).headers;
});

const ask = (from: number, to: number, query = "") =>
  send(`GET /v1/api-metrics/metrics/timeserie-counts?from=${at(from)}&to=${at(to)}${query}`, {
    headers,
  });

describe("400: the query needs data that is no longer kept", () => {
  const code = "metrics.range-exceeds-retention";
  const daysAgo = (days: number, length = 1) =>
    [hour - days * dayMs, hour - (days - length) * dayMs] as const;
  const refusedFor = async (days: number, query: string, length = 1) => {
    const { status, body } = await ask(...daysAgo(days, length), query);
    expect([status, body.code]).toEqual([400, code]);
    return body.reason;
  };

  test("minutes, with the smallest possible period", async () => {
    expect(await refusedFor(10, "&period=PT5M")).toBe("?period,minute:15");
    expect(await refusedFor(10, "&period=minute&group=status&group=site")).toBe(
      "?period,minute:15",
    );
  });

  test("quarter hours of full combinations, and of single values", async () => {
    const both = "&group=status&group=site";
    expect(await refusedFor(120, `&period=PT6H${both}`)).toBe("?period,day:1");
    expect((await ask(...daysAgo(120), "&period=PT6H&group=site")).status).toBe(200);
    expect(await refusedFor(450, "&period=PT6H&group=site")).toBe("?period,day:1");
  });

  test("quarter hours at which a time zone's days start: UTC still works", async () => {
    expect(await refusedFor(450, "&period[unit]=day&period[timeZone]=Asia/Kathmandu", 30)).toBe(
      "?period[timeZone],day:1",
    );
    expect((await ask(...daysAgo(450), "&period=day")).status).toBe(200);
  });

  test("everything", async () => {
    expect(await refusedFor(1200, "&period=month")).toBe("?from");
    expect(await refusedFor(1200, "")).toBe("?from");
  });
});

test("200: an edge older than the minutes is moved outwards to a full quarter hour, and the response has the counted range", async () => {
  const old = hour - 20 * dayMs;
  const cell = (minutes: number, count: number) => ({
    at: old + minutes * minuteMs,
    values: encodeLabels({
      domain: "pim",
      endpoint: "GET /pim",
      method: "GET",
      status: "200",
      credentialKind: "none",
    }),
    count,
  });
  await writeCells({ tenantId, source: "test", seq: 1 }, [
    cell(1, 1),
    cell(16, 10),
    cell(31, 100),
    cell(47, 1000),
  ]);
  const { body, headers: told } = await ask(
    old + 20 * minuteMs,
    old + 44 * minuteMs,
    "&period=hour",
  );
  expect(body).toEqual({ times: [at(old)], series: [{ groups: {}, values: [110] }] });
  expect(told.get("x-service-metrics-range")).toBe(
    `${at(old + 15 * minuteMs)}/${at(old + 45 * minuteMs)}`,
  );
});
