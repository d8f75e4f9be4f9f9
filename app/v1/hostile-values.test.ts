import { beforeAll, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let tenant: string;
let headers: Record<string, string>;

beforeAll(async () => {
  tenant = await makeTenant();
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  ({ headers } = await makeSession(tenant, userId));
});

const problem = { Accept: "application/problem+json" };
const hours = "from=2026-11-20T00:00:00Z&to=2026-11-20T03:00:00Z";

test.each([
  ["/v1/audit/events?from=0000-01-01T00:00:00Z", "?from"],
  ["/v1/audit/events?to=0001-01-01T00:00:00%2B00:01", "?to"],
  ["/v1/audit/events?from=9999-12-31T23:59:59-00:01", "?from"],
  ["/v1/audit/export?from=0000-12-31T23:59:59Z", "?from"],
  ["/v1/user/api-keys?unusedFor=P99999999999D", "?unusedFor"],
  ["/v1/user/api-keys?expiresWithin=P9999999999999999D", "?expiresWithin"],
  [`/v1/api-metrics/metrics/top?${hours}&group=method&period=foo`, "?period"],
  [
    `/v1/api-metrics/metrics/top?${hours}&group=method&period[unit]=hour&period[count]=5`,
    "?period",
  ],
  [
    `/v1/api-metrics/metrics/top?${hours}&group=method&period[unit]=hour&period[timeZone]=Mars/Olympus`,
    "?period",
  ],
  [`/v1/api-metrics/metrics/top?${hours}`, "?group"],
])("400: GET %s names %s", async (path, pointer) => {
  const answer = await send(`GET ${path}`, { headers });
  expect([answer.status, answer.body.code, answer.body.reason]).toEqual([
    400,
    "request.validation-failed",
    pointer,
  ]);
});

test.each([
  "/v1/audit/events?from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z",
  "/v1/user/api-keys?unusedFor=P36525D&expiresWithin=P36525D",
])("200: GET %s is within the limits", async (path) => {
  expect((await send(`GET ${path}`, { headers })).status).toBe(200);
});

test.each(["timeserie-counts", "timeserie-latencies", "top", "export"])(
  "no 500: metrics/%s over the maximum range",
  async (name) => {
    for (const [from, to] of [
      ["0001-01-01T00:00:00Z", "0001-01-02T00:00:00Z"],
      ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"],
      ["9999-12-30T00:00:00Z", "9999-12-31T23:59:59Z"],
    ])
      for (const period of [
        "",
        "&period=day",
        "&period=month&period[timeZone]=Pacific/Kiritimati",
        "&period[unit]=month&period[timeZone]=Pacific/Kiritimati",
      ]) {
        const { status } = await send(
          `GET /v1/api-metrics/metrics/${name}?from=${from}&to=${to}&group=method${period}`,
          { headers },
        );
        expect([200, 400], `${from} ${to} ${period}`).toContain(status);
      }
  },
);

test.each([
  [
    "unknown members",
    JSON.stringify(
      Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`member${index}`, 1])),
    ),
  ],
  ["a long name", JSON.stringify({ [`a${"b".repeat(250_000)}`]: 1 })],
  ["a name of half pairs cut in two", JSON.stringify({ [`a${"\u{1f600}".repeat(60_000)}`]: 1 })],
  ["a member twice", `{"${"a".repeat(100_000)}":1,"${"a".repeat(100_000)}":2}`],
  [
    "long lists",
    JSON.stringify({
      login: "a",
      name: "a",
      emailAddress: "a@b.c",
      roles: { roleIds: Array(120_000).fill(1), sites: {} },
    }),
  ],
  [
    "many sites",
    JSON.stringify({
      roles: {
        roleIds: [],
        sites: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`s_${i}`, 1])),
      },
    }),
  ],
  ["deep lists", `{"a":${"[".repeat(30)}${Array(60_000).fill('"x"').join(",")}${"]".repeat(30)}}`],
])("400: %s are reported in less than 32 KiB", async (_, raw) => {
  for (const accept of [{}, problem]) {
    const answer = await send("POST /v1/user/invitations", {
      headers: { ...headers, ...accept, "Content-Type": "application/json" },
      raw,
    });
    expect([answer.status, answer.text.length < 32 * 1024], answer.text.slice(0, 200)).toEqual([
      400,
      true,
    ]);
    expect(answer.text.isWellFormed()).toBe(true);
  }
});

test("400: omitted problems are counted", async () => {
  const body = Object.fromEntries(
    Array.from({ length: 15_000 }, (_, index) => [`member${index}`, 1]),
  );
  const answer = await send("POST /v1/user/invitations", {
    headers: { ...headers, ...problem },
    body,
  });
  expect(answer.body.errors).toHaveLength(50);
  expect(answer.body.detail).toMatch(/ \(and 15003 more\)$/);
});

test("400: a list of 50,000 languages is rejected only for its length", async () => {
  const body = { id: "x", name: "x", locales: Array(50_000).fill("en") };
  const answer = await send("POST /v1/tenant/sites", { headers, body });
  expect([answer.status, answer.body.detail]).toEqual([
    400,
    "/locales must have at most 50 items.",
  ]);
});

test("a language tag of 250,000 characters is rejected", async () => {
  const locale = `en-a${"-bbbb".repeat(50_000)}`;
  const at = { ...headers, "X-Service-Site": "one" };
  const answer = await send("POST /pim/preview/validate", {
    headers: at,
    body: { locales: [locale] },
  });
  expect([answer.status, answer.body.problems.length]).toEqual([200, 1]);
});
