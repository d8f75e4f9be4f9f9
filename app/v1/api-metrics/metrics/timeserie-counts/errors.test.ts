import { beforeAll, describe, expect, test } from "vitest";
import {
  at,
  hour,
  makeSampleCalls,
  range,
  start,
} from "@/lib/features/metrics/testing/sample-calls";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeTenant, makeUser } from "@/lib/setup/testing/factories";

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

describe("400", () => {
  test.each([
    ["?from", `to=${at(start)}`],
    ["?to", `from=${at(start)}`],
    ["?from", `from=${at(start)}&to=${at(start)}`],
    ["?from", `from=2026-02-30T00:00:00Z&to=${at(start)}`],
    ["?from", `from=2026-02-03&to=${at(start)}`],
    ["?from", `from=${at(start)}&from=${at(start)}&to=${at(start + 1)}`],
    ["?group", `${range}&group=colour`],
    ["?group", `${range}&group=site&group=site`],
    ["?group", `${range}&group=site,status,domain,user`],
    ["?period", `${range}&period=fortnight`],
    ["?period", `${range}&period=PT7M`],
    ["?period", `${range}&period=hour&period[unit]=hour`],
    ["?period", `${range}&period[unit]=hour&period[timeZone]=Mars/Base`],
    ["?period", `${range}&period[unit]=day&period[count]=2`],
    ["?period", `${range}&period={"unit":"hour","size":1}`],
    ["?domain", `${range}&domain=user&domain[]=pim`],
    ["?status", `${range}&status=teapot`],
    ["?colour", `${range}&colour=red`],
  ])("%s is named: %s", async (pointer, query) => {
    expect(await ask(query)).toMatchObject({
      status: 400,
      body: { name: "ValidationError", code: "request.validation-failed", reason: pointer },
    });
  });

  test.each([
    ["group=colour", "?group must be one of"],
    ["period[unit]=hour&period[count]=5", "?period must have a count that divides"],
    ["period[count]=5", "?period must have a unit"],
    ["period[unit]=hour&period[unit]=day", "?period[unit] was given more than once"],
  ])("a value that is present is reported as wrong, not as missing: %s", async (query, detail) => {
    expect((await ask(`${range}&${query}`)).body.detail).toContain(detail);
  });

  test("more than 1,500 buckets, with the smallest possible period", async () => {
    const { body } = await ask(`from=${at(start - 48 * hour)}&to=${at(start)}&period=minute`);
    expect(body).toMatchObject({ code: "metrics.too-many-values", reason: "?period,minute:5" });
  });

  test("an unsupported Accept", async () => {
    expect(await ask(range, { Accept: "text/html" })).toMatchObject({
      status: 400,
      body: { code: "request.accept-not-supported" },
    });
  });
});

describe("401", () => {
  test("no credential, a role without the permission, an expired key", async () => {
    const query = `GET /v1/api-metrics/metrics/timeserie-counts?${range}`;
    const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
    const low = (await makeApiKey(tenant, userId)).headers;
    const expired = (await makeApiKey(tenant, userId, { validTo: new Date(Date.now() - 1000) }))
      .headers;
    expect(await send(query, { headers: { "X-Service-Tenant": tenant } })).toMatchObject({
      status: 401,
      body: { code: "auth.credentials-missing" },
    });
    expect(await send(query, { headers: low })).toMatchObject({
      status: 401,
      body: { code: "auth.permission-missing", reason: "api-metric.read" },
    });
    expect(await send(query, { headers: expired })).toMatchObject({
      status: 401,
      body: { code: "auth.credentials-expired" },
    });
  });

  test("another tenant's key is unknown", async () => {
    const other = await makeTenant();
    expect(await ask(range, { "X-Service-Tenant": other })).toMatchObject({
      status: 401,
      body: { code: "auth.credentials-invalid" },
    });
  });
});
