import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import {
  ensureBuilt,
  freePort,
  makeStoreFolder,
  type Product,
  startProduct,
} from "./testing/product";
import { connectRaw, get, rawRequest } from "./testing/raw";

const dataDir = makeStoreFolder();
const started: Product[] = [];
let password = "";
/** A sign-in that fails shortly before the process exits. */
const lastFailure = "failed-in-the-last-moment";

async function start(env: Record<string, string> = {}, program?: string[]): Promise<Product> {
  const product = await startProduct(dataDir, { DATABASE_URL: "", DEMO: "on", ...env }, program);
  started.push(product);
  return product;
}

beforeAll(ensureBuilt, 180_000);
afterAll(async () => {
  await Promise.all(started.map((product) => product.stop()));
  rmSync(dataDir, { recursive: true });
});

test("ports that are chosen at the same time differ", async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));
  expect(new Set(ports).size).toBe(ports.length);
});

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
}

/** Whether a process has exited; a zombie counts as exited. */
function isAlive(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !/\) [ZX] /.test(readFileSync(file, "utf8"));
}

const json = async (url: string, init: RequestInit) => {
  const headers = {
    "Content-Type": "application/json",
    "X-Service-Tenant": "demo",
    ...init.headers,
  };
  const response = await fetch(url, { ...init, headers });
  return { status: response.status, body: await response.json() };
};

describe("the built product", () => {
  test("prints the one-time password once, on an empty store", async () => {
    const product = await start();
    while (!product.output().includes("is reached at")) await pause(20);
    password = /Password\s+(\S+)/.exec(product.output())?.[1] ?? "";
    expect(password.length).toBeGreaterThan(10);
    expect(await product.stop()).toBe(0);
    const again = await start();
    while (!again.output().includes("is reached at")) await pause(20);
    expect(again.output()).not.toContain(password);
    expect(await again.stop()).toBe(0);
  });

  test("on SIGTERM responds 503 at /readyz and serves for DRAIN_MS, then stops listening", async () => {
    const product = await start({ DRAIN_MS: "1500" });
    product.process.kill("SIGTERM");
    while (!product.output().includes('"stopping"')) await pause(5);
    const ready = await fetch(`${product.url}/readyz`);
    const alive = await fetch(`${product.url}/healthz`);
    expect([ready.status, ready.headers.get("connection"), alive.status]).toEqual([
      503,
      "close",
      200,
    ]);
    expect(await product.ended).toBe(0);
    await expect(fetch(`${product.url}/healthz`)).rejects.toThrow();
  });

  test("exits with 1 if its PostgreSQL does not respond, and leaves none of its processes running", async () => {
    const product = await start();
    const lock = join(dataDir, "postgres", "cluster", "postmaster.pid");
    const postmaster = Number.parseInt(readFileSync(lock, "utf8"), 10);
    const servers = [postmaster, ...childrenOf(postmaster)];
    for (const pid of servers) process.kill(pid, "SIGSTOP");
    product.process.kill("SIGTERM");
    expect(await product.ended).toBe(1);
    while (servers.some(isAlive)) await pause(10);
  });

  test("serves and stops although standard output is on a full disk", async () => {
    const port = String(await freePort());
    const env = { ...process.env, DATABASE_URL: "", DATA_DIR: dataDir, PORT: port, DRAIN_MS: "0" };
    const child = spawn(process.execPath, [".server/server.mjs"], {
      cwd: projectRoot(),
      env: { ...env, NODE_ENV: "production" },
      stdio: ["ignore", openSync("/dev/full", "w"), openSync("/dev/full", "w")],
    });
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await ready())) await pause(20);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });

  test("exits with 0 after requests in flight, which are in the audit trail, and leaves no store running", async () => {
    const product = await start();
    const busy = connectRaw(product.url);
    const body = JSON.stringify({
      login: "admin",
      tenant: "demo",
      password: "not the password at all",
    });
    busy.send(
      `POST /v1/user/session-login HTTP/1.1\r\nHost: localhost\r\nX-Service-Tenant: demo\r\nX-Service-Request-Id: ${lastFailure}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    expect((await busy.answer()).status).toBe(100);
    product.process.kill("SIGTERM");
    while (!product.output().includes('"stopping"')) await pause(5);
    busy.send(body);
    expect(await busy.answer()).toMatchObject({ status: 401, headers: { connection: "close" } });
    expect(await product.ended).toBe(0);
    expect(readdirSync(join(dataDir, "postgres", "cluster"))).not.toContain("postmaster.pid");
  });

  test("exits with 1 at a second signal", async () => {
    const product = await start();
    const busy = connectRaw(product.url);
    busy.send(
      "POST /v1/user/session-login HTTP/1.1\r\nHost: localhost\r\nX-Service-Tenant: demo\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
    );
    expect((await busy.answer()).status).toBe(100);
    product.process.kill("SIGTERM");
    while (!product.output().includes('"stopping"')) await pause(5);
    product.process.kill("SIGINT");
    expect(await product.ended).toBe(1);
    busy.end();
  });

  test("reports that its port is in use, and exits with 1", async () => {
    const product = await start();
    const env = {
      ...process.env,
      NODE_ENV: "production" as const,
      DATABASE_URL: "",
      DATA_DIR: dataDir,
      PORT: new URL(product.url).port,
    };
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(projectRoot(), ".server", "server.mjs")],
      { env, encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining(`Port ${env.PORT} is taken`)]);
    expect((await fetch(`${product.url}/readyz`)).status).toBe(200);
    expect(await product.stop()).toBe(0);
  });

  test("has neither password nor session nor key in its store's files or its log at debug level", async () => {
    const product = await start({ LOG_LEVEL: "debug", LOG_FILE: join(dataDir, "debug.log") });
    const login = await json(`${product.url}/v1/user/session-login`, {
      method: "POST",
      body: JSON.stringify({ login: "admin", tenant: "demo", password }),
    });
    expect(login.status).toBe(200);
    const next = "a new password for this test";
    const session = { "X-Service-Session-Id": login.body.sessionId };
    const changed = await fetch(`${product.url}/v1/user/password`, {
      method: "PUT",
      headers: { "Content-Type": "application/json", "X-Service-Tenant": "demo", ...session },
      body: JSON.stringify({ current: password, password: next }),
    });
    expect(changed.status).toBe(204);
    const validTo = new Date(Date.now() + 86_400_000).toISOString();
    const key = await json(`${product.url}/v1/user/profile/api-keys`, {
      method: "POST",
      headers: session,
      body: JSON.stringify({ name: "test", validTo }),
    });
    const list = await json(`${product.url}/v1/user/list?limit=1`, {
      headers: { "X-Service-API-Key": key.body.apiKey },
    });
    expect([key.status, list.status]).toEqual([200, 200]);
    const last = `${product.url}/v1/audit/events?requestId=${lastFailure}`;
    const { body: trail } = await json(last, { headers: session });
    expect(trail).toMatchObject([{ action: "session.login-failed" }]);
    expect(await product.stop()).toBe(0);

    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !entry.name.startsWith("output-"),
    );
    const contents = files.map((entry) => readFileSync(join(entry.parentPath, entry.name)));
    const holds = (text: string) => contents.some((content) => content.includes(text));
    expect(holds("/v1/user/profile/api-keys")).toBe(true);
    expect(holds(key.body.apiKeyId)).toBe(true);
    expect([key.body.apiKey, login.body.sessionId, password, next].filter(holds)).toEqual([]);
  });
});

describe("the same handlers under Next only", () => {
  // `next dev`: it builds the few requested routes, which the product's build excludes.
  test("respond in JSON with the contract's statuses, and trust no peer header", async () => {
    // It leaves the embedded store running for the next process: here the product, which stops it.
    const product = await start();
    const port = String(await freePort());
    const { url, stop } = await start({ PORT: port, NODE_ENV: "development" }, [
      "node_modules/next/dist/bin/next",
      "dev",
      "-p",
      port,
      "-H",
      "127.0.0.1",
    ]);
    const none = await rawRequest(url, get("/v1/nope"));
    expect([none.status, none.headers["content-type"]]).toEqual([404, "application/json"]);
    const method = await fetch(`${url}/v1/user/list`, {
      method: "DELETE",
      headers: { "X-Service-Tenant": "demo" },
    });
    expect([method.status, method.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const missing = await json(`${url}/v1/user/list`, {
      headers: { "X-Gatehouse-Peer": "127.0.0.1" },
    });
    expect([missing.status, missing.body.code]).toEqual([401, "auth.credentials-missing"]);
    expect(
      (await fetch(`${url}/internal/metrics`, { headers: { "X-Gatehouse-Peer": "127.0.0.1" } }))
        .status,
    ).toBe(404);
    await stop();
    expect(await product.stop()).toBe(0);
  });
});
