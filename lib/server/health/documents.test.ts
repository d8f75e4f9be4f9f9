import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { closeStore, db } from "@/lib/database/open";
import { checkStore } from "@/lib/database/readiness";
import { onServer } from "@/lib/database/testing/databases";
import { noteWork, resetPerProcess } from "@/lib/protocol/per-process";
import { trustedProxies } from "@/lib/protocol/setting-formats";
import { type RunningServer, startServer } from "@/lib/server/serve";
import { requestShutdown } from "@/lib/server/stopping";
import { tableOf } from "@/lib/server/testing/table";
import { liveness, measurements, readiness } from "./documents";
import { exposition } from "./measures";

let server: RunningServer;
let behindProxy: RunningServer;

beforeAll(async () => {
  const routes = await tableOf({
    healthz: { GET: liveness },
    readyz: { GET: readiness },
    "internal/metrics": { GET: measurements },
  });
  server = await startServer({ port: 0, routes });
  behindProxy = await startServer({ port: 0, routes, trusted: trustedProxies("127.0.0.1") });
});
afterAll(() => Promise.all([server.close(), behindProxy.close()]));

test("HEAD /healthz has the length that GET has", async () => {
  const [get, head] = await Promise.all(
    ["GET", "HEAD"].map((method) => fetch(`${server.url}/healthz`, { method })),
  );
  expect(head?.headers.get("content-length")).toBe(String((await get?.text())?.length));
});

describe("GET /readyz", () => {
  test("200 while the store answers", async () => {
    const ready = async () => {
      const response = await fetch(`${server.url}/readyz`);
      return [response.status, await response.json()];
    };
    const checks = { reads: "ok", writes: "ok" };
    // On a busy machine the store may take more than the second that health waits.
    await expect.poll(ready).toEqual([200, { status: "ready", checks }]);
  });

  test("503 once the process is stopping, though it is still alive", async () => {
    requestShutdown();
    try {
      const response = await fetch(`${server.url}/readyz`);
      expect([response.status, (await response.json()).code]).toEqual([503, "server.stopping"]);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    } finally {
      resetPerProcess("shutdown");
    }
  });
});

describe("GET /readyz with a store that has problems", () => {
  const ready = async () => {
    const response = await fetch(`${server.url}/readyz`);
    return { status: response.status, ...(await response.json()) };
  };
  const alive = async () => (await fetch(`${server.url}/healthz`)).status;
  afterEach(async () => {
    vi.unstubAllEnvs();
    await closeStore();
  });

  test("200, degraded: a node of its cluster is unreachable, and the others respond", async () => {
    // On a cluster only its coordinator has the view; elsewhere nobody reads the setting.
    const run = (text: string) =>
      onServer(process.env.DATABASE_URL ?? "", `set citus.enable_ddl_propagation = off; ${text}`);
    await run(`alter table tenants rename to all_tenants;
      create function away_tenants() returns setof all_tenants language plpgsql as
        $$ begin raise sqlstate '08006' using message = 'connection to the remote node failed'; end $$;
      create view tenants as select * from away_tenants()`);
    try {
      await closeStore();
      const checks = { reads: "degraded", writes: "ok" };
      await expect.poll(ready).toEqual({ status: "degraded", checks });
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    } finally {
      await run(
        "drop view tenants; drop function away_tenants; alter table all_tenants rename to tenants",
      );
    }
  });

  test("503: it accepts no writes", async () => {
    const url = new URL(process.env.DATABASE_URL ?? "");
    url.searchParams.set("options", "-c default_transaction_read_only=on");
    vi.stubEnv("DATABASE_URL", url.href);
    await closeStore();
    await expect.poll(ready).toMatchObject({
      status: "not ready",
      code: "server.store-read-only",
      checks: { reads: "ok", writes: "read-only" },
    });
    expect(await alive()).toBe(200);
  });

  test("200: its disk is full, which is reported for a minute even if a transaction without writes succeeds", async () => {
    const noRoom = "do $$ begin raise exception 'no room' using errcode = '53100'; end $$";
    await expect(db().$client.query(noRoom)).rejects.toThrow();
    const full = { status: "degraded", checks: { reads: "ok", writes: "full" } };
    await expect.poll(ready).toEqual(full);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const { text } = await exposition();
    expect(text).toContain("store_full 1");
    const later = performance.now() + 60_000;
    vi.spyOn(performance, "now").mockReturnValue(later);
    expect((await checkStore()).writes).toBe("ok");
    vi.restoreAllMocks();
    resetPerProcess("readiness");
  });

  test("503: it is unreachable or accepts and never responds; both are reported without waiting for it", async () => {
    vi.stubEnv("DATABASE_URL", "postgres://gatehouse@127.0.0.1:1/none");
    await closeStore();
    const away = { code: "server.store-unavailable", checks: { reads: "away", writes: "away" } };
    await expect.poll(ready).toMatchObject(away);
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : undefined;
    vi.stubEnv("DATABASE_URL", `postgres://gatehouse@127.0.0.1:${port}/none`);
    await closeStore();
    const slow = { code: "server.store-unavailable", checks: { reads: "slow", writes: "slow" } };
    await expect.poll(ready).toMatchObject(slow);
    expect(await alive()).toBe(200);
    silent.close();
  });
});

describe("GET /internal/metrics", () => {
  test("200: counts responses by template and class of status, from this machine", async () => {
    await fetch(`${server.url}/internal/metrics`);
    await fetch(`${server.url}/healthz`);
    await fetch(`${server.url}/v1/secret-path`);
    noteWork("responses", 3);
    const text = await (await fetch(`${server.url}/internal/metrics`)).text();
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/healthz",status="2xx"} ',
    );
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="none",status="4xx"} ',
    );
    expect(text).toMatch(/^work_duration_seconds_bucket\{le="0.0025",work="responses"\} 0$/m);
    expect(text).toMatch(/^work_duration_seconds_bucket\{le="0.005",work="responses"\} 1$/m);
    expect(text).toContain("process_cpu_seconds_total ");
    expect(text).not.toContain("secret-path");
  });

  test("404: passed on by a proxy that runs on this machine", async () => {
    expect(
      (
        await fetch(`${server.url}/internal/metrics`, {
          headers: { "X-Forwarded-For": "198.51.100.7" },
        })
      ).status,
    ).toBe(404);
  });

  test.each([
    ["the token", "Bearer a-token-of-prometheus", 200],
    ["another token", "Bearer a-token-of-prometheuS", 404],
    ["no token", undefined, 404],
  ])("from another address with %s", async (_, authorization, status) => {
    vi.stubEnv("METRICS_TOKEN", "a-token-of-prometheus");
    const headers = {
      "X-Forwarded-For": "198.51.100.7",
      ...(authorization && { Authorization: authorization }),
    };
    const response = await fetch(`${behindProxy.url}/internal/metrics`, { headers });
    vi.unstubAllEnvs();
    expect(response.status).toBe(status);
  });

  test("404: any token from another address while METRICS_TOKEN is not set", async () => {
    const headers = { "X-Forwarded-For": "198.51.100.7", Authorization: "Bearer " };
    const response = await fetch(`${behindProxy.url}/internal/metrics`, { headers });
    expect(response.status).toBe(404);
  });

  test("404: from another address, behind a trusted proxy", async () => {
    const response = await fetch(`${behindProxy.url}/internal/metrics`, {
      headers: { "X-Forwarded-For": "198.51.100.7" },
    });
    expect([response.status, (await response.json()).code]).toEqual([404, "request.not-found"]);
  });
});

test("405: a document is read-only", async () => {
  const response = await fetch(`${server.url}/healthz`, { method: "POST" });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
});
