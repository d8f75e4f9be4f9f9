import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { makeStoreFolder, startProduct } from "@/lib/server/testing/product";
import { enter, seed, type World } from "./seed";

/*
 * 1,000 connections of mixed load for BENCH_SECONDS (20), from 20 addresses of this machine, against the built product with
 * its limits per minute off and those of connections on. Clients wait as Retry-After says. Prints, by kind of request, how
 * many were accepted and rejected, and the latency of accepted ones; beside it /healthz, memory, and how long it takes
 * until a list is as fast as before. Fails where a valid request is told 400 or 401, or is not answered.
 */

const seconds = Number(process.env.BENCH_SECONDS) || 20;
const connectionsPerAddress = 50;
const clientTimeoutMs = 30_000;

interface Kind {
  name: string;
  connections: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

interface Tally {
  statuses: Record<string, number>;
  accepted: number[];
  rejected: number[];
  problems: Record<string, number>;
}

const newTally = (): Tally => ({ statuses: {}, accepted: [], rejected: [], problems: {} });

const bump = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

function kinds({ tenant, site, apiKey, shopper, sessionId }: World): Kind[] {
  const key = { "X-Service-Tenant": tenant, "X-Service-API-Key": apiKey };
  const session = { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
  const shop = { "X-Service-Tenant": tenant, "X-Service-Site": site };
  const bearer = (token: string) => ({ ...shop, Authorization: `Bearer ${token}` });
  const get = { method: "GET" };
  const credentials = JSON.stringify({ login: shopper.login, password: shopper.password });
  const signIn = {
    method: "POST",
    path: "/v1/customer/login/token",
    headers: { ...bearer(shopper.anonymousToken), "Content-Type": "application/json" },
    body: credentials,
  };
  const profile = { ...get, path: "/v1/customer/profile", headers: bearer(shopper.accessToken) };
  const metrics = "/v1/api-metrics/metadata";
  return [
    { name: "list by key", connections: 400, ...get, path: "/v1/user/list?limit=20", headers: key },
    { name: "customer profile", connections: 200, ...profile },
    { name: "customer sign-in", connections: 150, ...signIn },
    { name: "page", connections: 150, ...get, path: "/sign-in", headers: { Accept: "text/html" } },
    { name: "metrics", connections: 100, ...get, path: metrics, headers: session },
  ];
}

async function send(url: string, kind: Kind, agent: Agent) {
  const { method, path, headers, body } = kind;
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const sent = request(`${url}${path}`, { method, headers: { ...headers, ...length }, agent });
  const timer = setTimeout(() => sent.destroy(new Error("no answer")), clientTimeoutMs);
  try {
    sent.end(body);
    const [response] = await once(sent, "response");
    const parts: Buffer[] = [];
    for await (const part of response) parts.push(part);
    return {
      status: Number(response.statusCode),
      headers: response.headers,
      text: String(Buffer.concat(parts)),
    };
  } finally {
    clearTimeout(timer);
  }
}

function judge(
  kind: Kind,
  { status, headers, text }: Awaited<ReturnType<typeof send>>,
  tally: Tally,
): void {
  if (status === 400 || status === 401) bump(tally.problems, `valid request told ${status}`);
  if (status < 429) return;
  if (headers["retry-after"] === undefined) bump(tally.problems, `${status} without Retry-After`);
  const isJson = /\bjson\b/.test(String(headers["content-type"])) && text.startsWith("{");
  if (!isJson && kind.name !== "page") bump(tally.problems, `${status} not in JSON`);
}

interface Load {
  kind: Kind;
  tally: Tally;
}

/** One connection: the next request leaves when the last one is answered, or when Retry-After allows it. */
async function drive(
  url: string,
  place: number,
  until: number,
  { kind, tally }: Load,
): Promise<void> {
  const localAddress = `127.0.1.${1 + Math.floor(place / connectionsPerAddress)}`;
  const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
  while (performance.now() < until) {
    const startedAt = performance.now();
    try {
      const answer = await send(url, kind, agent);
      const ms = performance.now() - startedAt;
      bump(tally.statuses, String(answer.status));
      judge(kind, answer, tally);
      if (answer.status < 400) tally.accepted.push(ms);
      else tally.rejected.push(ms);
      const wait = Number(answer.headers["retry-after"] ?? 0) * 1000;
      if (wait > 0) await pause(Math.min(wait, Math.max(0, until - performance.now())));
    } catch (error) {
      bump(tally.problems, error instanceof Error ? error.message : String(error));
      await pause(1000);
    }
  }
  agent.destroy();
}

const at = (times: number[], share: number) => {
  const sorted = Float64Array.from(times).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
};

function print(name: string, { statuses, accepted, rejected, problems }: Tally): void {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const latency = `accepted p50 ${ms(at(accepted, 0.5))} p99 ${ms(at(accepted, 0.99))}, refused p99 ${ms(at(rejected, 0.99))}`;
  process.stdout.write(`${name.padEnd(20)} ${JSON.stringify(statuses)} ${latency}\n`);
  if (Object.keys(problems).length > 0)
    process.stdout.write(`  PROBLEMS ${JSON.stringify(problems)}\n`);
}

const residentMb = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Asks again and again, on a connection of its own, until `until`. */
async function probe(url: string, kind: Kind, everyMs: number, until: number): Promise<Tally> {
  const tally = newTally();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (performance.now() < until) {
    const startedAt = performance.now();
    const answer = await send(url, kind, agent).catch(() => undefined);
    bump(tally.statuses, String(answer?.status ?? "no answer"));
    tally.accepted.push(performance.now() - startedAt);
    await pause(everyMs);
  }
  agent.destroy();
  return tally;
}

/** Milliseconds until ten lists in a row are accepted within three times what they took before. */
async function recovery(url: string, list: Kind, quietMs: number): Promise<number> {
  const from = performance.now();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let good = 0; good < 10; ) {
    const startedAt = performance.now();
    const { status } = await send(url, list, agent);
    good =
      status === 200 && performance.now() - startedAt <= Math.max(20, 3 * quietMs) ? good + 1 : 0;
  }
  agent.destroy();
  return performance.now() - from;
}

async function run(dataDir: string): Promise<boolean> {
  await seed(dataDir, 1000);
  const product = await startProduct(dataDir, { RATE_LIMITS: "off", LOGIN_THROTTLE: "off" });
  try {
    const { url } = product;
    const all = kinds(await enter(url, dataDir));
    const [list] = all;
    if (!list) return false;
    for (const kind of all) await send(url, kind, new Agent());
    const quiet = at((await probe(url, list, 5, performance.now() + 2000)).accepted, 0.99);
    const before = residentMb(product.process.pid);
    const until = performance.now() + seconds * 1000;
    const health = probe(url, { ...list, path: "/healthz", headers: {} }, 50, until);
    const tallies = all.map(newTally);
    const places = all.flatMap((kind, index) =>
      Array.from({ length: kind.connections }, () => ({
        kind,
        tally: tallies[index] ?? newTally(),
      })),
    );
    await Promise.all(places.map((load, place) => drive(url, place, until, load)));
    const recoveredMs = await recovery(url, list, quiet);
    all.forEach((kind, index) => void print(kind.name, tallies[index] ?? newTally()));
    print("/healthz", await health);
    process.stdout.write(
      `list alone, before: p99 ${quiet.toFixed(1)} ms; as fast again ${recoveredMs.toFixed(0)} ms after the load\n`,
    );
    process.stdout.write(
      `resident memory: ${before.toFixed(0)} MiB before, ${residentMb(product.process.pid).toFixed(0)} MiB after\n`,
    );
    return tallies.every(({ problems }) => Object.keys(problems).length === 0);
  } finally {
    await product.stop();
  }
}

const dataDir = makeStoreFolder();
try {
  if (!(await run(dataDir))) process.exitCode = 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
