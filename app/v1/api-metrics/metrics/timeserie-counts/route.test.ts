import { beforeAll, describe, expect, test } from "vitest";
import { TimeSeries } from "@/lib/features/metrics/contract";
import {
  at,
  hour,
  makeSampleCalls,
  minute,
  range,
  start,
} from "@/lib/features/metrics/testing/sample-calls";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let tenant: string;
let headers: Record<string, string>;

beforeAll(async () => {
  ({ tenant, headers } = await makeSampleCalls());
});

const ask = (query: string, more: Record<string, string> = {}) =>
  send(`GET /v1/api-metrics/metrics/timeserie-counts?${query}`, {
    headers: { ...headers, ...more },
  });

describe("200", () => {
  test("without group exactly one series, zero-filled, with as many values as times", async () => {
    const { status, body } = await ask(`${range}&period=hour`);
    expect(status).toBe(200);
    expect(TimeSeries.parse(body)).toEqual(body);
    expect(body).toEqual({
      times: [at(start), at(start + hour), at(start + 2 * hour)],
      series: [{ groups: {}, values: [7, 3, 1] }],
    });
  });

  test("series ordered by total, then by key; a group without calls has no series", async () => {
    const { body } = await ask(`${range}&period=hour&group=domain&group=statusClass`);
    expect(body.series).toEqual([
      { groups: { domain: "user", statusClass: "2xx" }, values: [5, 0, 0] },
      { groups: { domain: "pim", statusClass: "2xx" }, values: [0, 3, 0] },
      { groups: { domain: "user", statusClass: "4xx" }, values: [2, 0, 0] },
      { groups: { domain: "pim", statusClass: "5xx" }, values: [0, 0, 1] },
    ]);
    expect((await ask(`${range}&period=hour&group=site&domain=none`)).body.series).toEqual([]);
  });

  test.each([
    ["repeated keys", "domain=user&domain=pim"],
    ["commas", "domain=user,pim"],
    ["brackets", "domain[]=user&domain[]=pim"],
  ])("domain and group by %s", async (_, spelled) => {
    const { body } = await ask(
      `${range}&period=hour&${spelled}&${spelled.replaceAll("domain", "group").replaceAll("user", "site").replaceAll("pim", "status")}`,
    );
    expect(body.series.map(({ groups }: { groups: unknown }) => groups)).toEqual([
      { site: "", status: "200" },
      { site: "one", status: "200" },
      { site: "", status: "404" },
      { site: "two", status: "500" },
    ]);
  });

  test.each([
    "period[unit]=minute&period[count]=30",
    "period=PT30M",
    'period={"unit":"minute","count":30}',
    "period%5Bunit%5D=minute&period%5Bcount%5D=30&period%5BtimeZone%5D=Europe/Paris",
  ])("a period as %s", async (period) => {
    const { body } = await ask(`${range}&${period}`);
    expect(body.times).toHaveLength(6);
    expect(body.series[0].values).toEqual([5, 2, 3, 0, 0, 1]);
  });

  test("buckets of Kathmandu start at a quarter past", async () => {
    const { body } = await ask(`${range}&period[unit]=hour&period[timeZone]=Asia/Kathmandu`);
    expect(body.times).toEqual([-45, 15, 75, 135].map((minutes) => at(start + minutes * minute)));
    expect(body.series[0].values).toEqual([5, 5, 0, 1]);
  });

  test("counts calls from the minute of `from` up to that of `to`; accepts any UTC offset", async () => {
    const from = at(start + minute).replace("Z", "%2B00:00");
    expect(
      (await ask(`from=${from}&to=${at(start + 179 * minute)}&period=hour`)).body.series[0].values,
    ).toEqual([2, 3, 0]);
  });

  test("filters: site, endpoint, status, statusClass, apiKey", async () => {
    const total = async (filter: string) =>
      (await ask(`${range}&period=day&${filter}`)).body.series[0].values.reduce(
        (a: number, b: number) => a + b,
        0,
      );
    expect(
      await Promise.all(
        [
          "site=one&site=two",
          "site=",
          "endpoint=GET%20/pim",
          "status=404",
          "statusClass=4xx,5xx",
          "apiKey=key_none",
        ].map(total),
      ),
    ).toEqual([4, 7, 4, 2, 3, 0]);
  });

  test("without a period there are at most 300 buckets", async () => {
    expect((await ask(`from=${at(start)}&to=${at(start + 5 * hour)}`)).body.times).toHaveLength(
      300,
    );
  });

  test("cacheable for a while, only by the caller, and 304 for a matching ETag", async () => {
    const first = await ask(`${range}&period=hour`);
    expect(first.headers.get("cache-control")).toBe("private, max-age=300, no-transform");
    expect(first.headers.get("vary")).toContain("X-Service-Tenant");
    expect(Date.parse(first.headers.get("x-service-metrics-complete-until") ?? "")).toBeGreaterThan(
      start,
    );
    const again = await ask(`${range}&period=hour`, {
      "If-None-Match": first.headers.get("etag") ?? "",
    });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect(
      (await ask(`from=${at(start)}&to=${at(Date.now() + hour)}`)).headers.get("cache-control"),
    ).toBe("private, max-age=15, no-transform");
  });

  test("a role at a site sees only that site's calls, whatever the query", async () => {
    const { userId } = await makeUser(tenant, { sites: { one: ["portal.qa.mgmt"] } });
    const own = { ...(await makeSession(tenant, userId)).headers, "X-Service-Site": "one" };
    const series = async (query: string) =>
      (
        await send(`GET /v1/api-metrics/metrics/timeserie-counts?${range}&period=day&${query}`, {
          headers: own,
        })
      ).body.series;
    expect(await series("group=site")).toMatchObject([{ groups: { site: "one" } }]);
    expect(
      (await series(""))
        .flatMap(({ values }: { values: number[] }) => values)
        .reduce((a: number, b: number) => a + b),
    ).toBe(3);
    expect(await series("group=status&site=two")).toEqual([]);
    const { body } = await send("GET /v1/api-metrics/metadata", { headers: own });
    expect([body.domains, body.sites]).toEqual([["pim"], ["one"]]);
  });

  test("explain shows shape and tables to a tenant.admin", async () => {
    const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
    const admin = (await makeApiKey(tenant, userId)).headers;
    const { body } = await send(
      `GET /v1/api-metrics/metrics/timeserie-counts?${range}&period=hour&group=site&explain=true`,
      {
        headers: admin,
      },
    );
    expect(body.plan).toMatchObject({
      shape: "domain x site",
      segments: [{ table: "metric_quarters" }],
    });
    expect(await ask(`${range}&explain=true`)).toMatchObject({
      status: 401,
      body: { reason: "tenant.admin" },
    });
  });
});
