import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { refusedRequests } from "@/lib/database/schema/schema";
import { flushRequests, startLoggingRequests } from "@/lib/features/request-log/note";
import { writeRequests } from "@/lib/features/request-log/write";
import { testServer } from "@/lib/http/testing/test-server";
import { cleanTenant } from "@/lib/setup/cleaning";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

type Headers = Record<string, string>;

const send = testServer();
let tenant: string;
let auditor: Headers;
let low: Awaited<ReturnType<typeof makeApiKey>>;
let lowId: string;

beforeAll(async () => {
  startLoggingRequests();
  tenant = await makeTenant();
  auditor = (
    await makeSession(tenant, (await makeUser(tenant, { roleIds: ["portal.users.mgmt"] })).userId)
  ).headers;
  ({ userId: lowId } = await makeUser(tenant, { roleIds: ["portal.default"] }));
  low = await makeApiKey(tenant, lowId);
});

async function list(query = "") {
  await flushRequests();
  return send(`GET /v1/requests${query}`, { headers: auditor });
}

describe("200", () => {
  test("a rejected request is found by the caller's request id, with caller, operation and what was missing", async () => {
    const headers = {
      ...low.headers,
      "X-Service-Request-Id": "trace-1",
      "User-Agent": "shop-sync/2",
      "X-Service-Site": "one",
    };
    await send("GET /v1/user/list?q=somebody", { headers });
    const { body } = await list("?requestId=trace-1");
    expect(body).toMatchObject([
      {
        requestId: "trace-1",
        method: "GET",
        path: "/v1/user/list",
        operation: "GET /v1/user/list",
        status: 403,
        code: "auth.permission-missing",
        reason: "user.read",
        site: "one",
        caller: {
          ...{ kind: "apiKey", credentialId: low.apiKeyId, userId: lowId },
          ...{ login: expect.any(String), keyName: expect.any(String) },
        },
        address: "127.0.0.1",
        agent: "shop-sync/2",
      },
    ]);
    expect((await list("?requestId=trace-1&site=one")).body).toHaveLength(1);
    expect((await list("?requestId=trace-1&site=two")).body).toEqual([]);
    const details = await send(`GET /v1/requests/${body[0].id}`, { headers: auditor });
    const failed = details.body.steps.filter(
      (one: { outcome: string }) => one.outcome === "failed",
    );
    expect(failed).toEqual([{ step: "role", outcome: "failed" }]);
    expect(details.body.steps[0]).toEqual({ step: "frame", outcome: "passed" });
    expect(details.body.now).toMatchObject({ allowed: false, missing: ["user.read"] });
  });

  test("the content of a request is not stored: query, headers, body, and secrets in the path", async () => {
    const secret = low.apiKey;
    await send(`GET /v1/user/${secret}?token=${secret}`, {
      headers: { ...low.headers, "X-Service-Request-Id": "trace-2" },
    });
    await send("POST /v1/user/session-login", {
      headers: { "X-Service-Tenant": tenant, "X-Service-Request-Id": "trace-2" },
      body: { tenant, login: "nobody", password: "a secret nobody has" },
    });
    const { body, text } = await list("?requestId=trace-2");
    expect(body.map((one: { code: string }) => one.code).sort()).toEqual([
      "auth.login-failed",
      "auth.permission-missing",
    ]);
    const rows = JSON.stringify(
      await db().select().from(refusedRequests).where(eq(refusedRequests.tenantId, tenant)),
    );
    for (const place of [text, rows]) {
      expect(place).not.toContain(secret);
      expect(place).not.toContain("a secret nobody has");
    }
    expect(body.find((one: { path: string }) => one.path !== "/v1/user/session-login")?.path).toBe(
      "/v1/user/svk_...",
    );
  });

  test("successes are sampled: one per key, operation, status and minute", async () => {
    const key = await makeApiKey(tenant, lowId);
    const other = await makeApiKey(tenant, lowId);
    const headers = { "X-Service-Request-Id": "trace-3" };
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      for (let n = 0; n < 3; n += 1)
        for (const { headers: credential } of [key, other]) {
          await send("GET /v1/user/profile", { headers: { ...credential, ...headers } });
          await send("GET /v1/user/session", { headers: { ...credential, ...headers } });
        }
      await send("GET /v1/nothing-here", { headers: { ...key.headers, ...headers } });
      vi.setSystemTime(Date.now() + 60_000);
      await send("GET /v1/user/profile", { headers: { ...key.headers, ...headers } });
    } finally {
      vi.useRealTimers();
    }
    const { body } = await list(`?requestId=trace-3&apiKey=${key.apiKeyId}`);
    const told = body.map((one: Record<string, string>) =>
      [one.status, one.operation, one.path, one.code].join(" "),
    );
    expect(told.toSorted()).toEqual([
      "200 GET /v1/user/profile /v1/user/profile ",
      "200 GET /v1/user/profile /v1/user/profile ",
      "200 GET /v1/user/session /v1/user/session ",
    ]);
    expect((await list("?requestId=trace-3&outcome=failed")).body).toMatchObject([
      { path: "/v1/nothing-here", code: "request.not-found", status: 404 },
    ]);
    expect((await list(`?requestId=trace-3&apiKey=${other.apiKeyId}`)).body).toHaveLength(2);
    const details = await send(`GET /v1/requests/${body[0].id}`, { headers: auditor });
    expect(details.body).toMatchObject({ title: "The request succeeded.", now: { allowed: true } });
    expect(details.body.steps.map((one: { outcome: string }) => one.outcome)).not.toContain(
      "failed",
    );
  });

  test("filters, and paging that returns each request once", async () => {
    const headers = { ...low.headers, "X-Service-Request-Id": "trace-4" };
    for (let n = 0; n < 3; n += 1) await send("GET /v1/user/list", { headers });
    await send("GET /v1/user/profile?nonsense=1", { headers });
    expect((await list("?requestId=trace-4&status=400")).body).toHaveLength(1);
    expect(
      (await list(`?requestId=trace-4&code=auth.permission-missing&userId=${lowId}`)).body,
    ).toHaveLength(3);
    const count = async (query: string) => (await list(`?requestId=trace-4&${query}`)).body.length;
    expect(await count(`user=${lowId}`)).toBe(4);
    expect(await count(`apiKey=${low.apiKeyId}`)).toBe(4);
    expect(await count("apiKey=key_other")).toBe(0);
    expect(await count(`operation=${encodeURIComponent("GET /v1/user/list")}`)).toBe(3);
    expect(await count("address=127.0.0.1")).toBe(4);
    expect(await count("address=192.0.2.1")).toBe(0);
    expect(await count("outcome=failed")).toBe(4);
    expect(await count("outcome=client-error")).toBe(4);
    expect(await count("outcome=server-error")).toBe(0);
    expect(await count("outcome=succeeded")).toBe(0);
    expect(await count(`to=${new Date(Date.now() - 60_000).toISOString()}`)).toBe(0);
    const seen = new Set<string>();
    for (let next: string | undefined = "/v1/requests?requestId=trace-4&limit=1"; next; ) {
      const page: Awaited<ReturnType<typeof send>> = await send(`GET ${next}`, {
        headers: auditor,
      });
      expect(page.body).toHaveLength(1);
      seen.add(page.body[0].id);
      next = /^<(.+)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1];
    }
    expect(seen.size).toBe(4);
  });

  test("unknown callers have a separate quota: requests of known callers stay during a flood", async () => {
    const headers = { "X-Service-Tenant": tenant, "X-Service-Request-Id": "trace-5" };
    await flushRequests();
    // Queued rejections are written every two seconds, which makes room again: that waits until all requests are sent.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    for (let n = 0; n < 30; n += 1) await send("GET /v1/user/list", { headers });
    await send("GET /v1/user/list", { headers: { ...low.headers, ...headers } });
    vi.useRealTimers();
    const { body } = await list("?requestId=trace-5");
    const known = body.filter((one: { caller?: unknown }) => one.caller !== undefined);
    expect([known.length, body.length - known.length]).toEqual([1, 20]);
  });

  test("after seven days they are neither shown nor stored", async () => {
    const own = await makeTenant();
    const { headers } = await makeSession(
      own,
      (await makeUser(own, { roleIds: ["tenant.admin"] })).userId,
    );
    const [row] = await db()
      .select()
      .from(refusedRequests)
      .where(eq(refusedRequests.tenantId, tenant))
      .limit(1);
    if (!row) throw new Error("There is no refusal to copy.");
    const old = new Date(Date.now() - 7 * 86_400_000 - 1000);
    await writeRequests(
      own,
      [row, { ...row, refusalId: "req_old", occurredAt: old }].map((one) => ({
        ...one,
        tenantId: own,
      })),
    );
    expect(
      (await send("GET /v1/requests", { headers })).body.map((one: { id: string }) => one.id),
    ).toEqual([row.refusalId]);
    await cleanTenant(own, new Date());
    expect(
      await db().select().from(refusedRequests).where(eq(refusedRequests.tenantId, own)),
    ).toHaveLength(1);
  });
});

test("400: invalid filters", async () => {
  for (const [query, reason] of [
    ["?status=600", "?status"],
    ["?operation=user/list", "?operation"],
    ["?outcome=unknown", "?outcome"],
    ["?requestId=%00", "?requestId"],
    ["?from=today", "?from"],
  ])
    expect((await list(query)).body.reason).toBe(reason);
});

test("403: without audit.read, or with it only at a site", async () => {
  const { userId } = await makeUser(tenant, { sites: { one: ["portal.users.mgmt"] } });
  const atSite = { ...(await makeSession(tenant, userId)).headers, "X-Service-Site": "one" };
  expect((await send("GET /v1/requests", { headers: low.headers })).body.code).toBe(
    "auth.permission-missing",
  );
  expect((await send("GET /v1/requests", { headers: atSite })).body.reason).toBe("audit.read");
});

test("404: a request of another tenant", async () => {
  const own = await makeTenant();
  const { headers } = await makeSession(
    own,
    (await makeUser(own, { roleIds: ["tenant.admin"] })).userId,
  );
  const [theirs] = (await list()).body;
  const answer = await send(`GET /v1/requests/${theirs.id}`, { headers });
  expect([answer.status, answer.body.code]).toEqual([404, "refusal.not-found"]);
});
