import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { enter, seed, type World } from "@/bench/seed";
import { makeStoreFolder, type Product, startProduct } from "@/lib/door/testing/product";

const total = Number(process.argv[2]) || 100_000;
const connections = 32;
/** Killed after these shares of the calls; asked to stop after the one in the middle. */
const stops: [share: number, signal: NodeJS.Signals][] = [
  [0.2, "SIGKILL"],
  [0.4, "SIGKILL"],
  [0.6, "SIGTERM"],
  [0.8, "SIGKILL"],
];

interface Shot {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** How the service names it. */
  endpoint: string;
}

interface Load {
  /** Answered calls by endpoint and status. */
  answered: Map<string, number>;
  sum: number;
  /** Calls without an answer: the server may have counted them or not. */
  unanswered: number;
  /** Answered in the second before each kill. */
  atRisk: number[];
  recent: number[];
}

function shots({ tenant, sessionId, apiKey }: World): Shot[] {
  const session = { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
  const key = { "X-Service-Tenant": tenant, "X-Service-API-Key": apiKey };
  return [
    { method: "GET", path: "/v1/user/session", headers: session, endpoint: "GET /v1/user/session" },
    { method: "GET", path: "/v1/user/list?limit=1", headers: key, endpoint: "GET /v1/user/list" },
    { method: "GET", path: "/v1/user/user_none", headers: key, endpoint: "GET /v1/user/{id}" },
    { method: "GET", path: "/v1/user/roles", headers: { "X-Service-Tenant": tenant }, endpoint: "GET /v1/user/roles" },
    { method: "DELETE", path: "/v1/user/roles", headers: key, endpoint: "DELETE /v1/user/roles" },
    { method: "GET", path: "/v1/user/list?colour=red", headers: session, endpoint: "GET /v1/user/list" },
    { method: "GET", path: "/v1/nothing/here", headers: session, endpoint: "*" },
  ];
}

async function shoot(product: Product, shot: Shot, load: Load): Promise<boolean> {
  try {
    const response = await fetch(product.url + shot.path, { method: shot.method, headers: shot.headers });
    await response.arrayBuffer();
    const key = `${shot.endpoint} ${response.status}`;
    load.answered.set(key, (load.answered.get(key) ?? 0) + 1);
    load.sum += 1;
    load.recent.push(performance.now());
    return true;
  } catch {
    load.unanswered += 1;
    return false;
  }
}

/** Shoots until so many calls were answered in all. */
async function shootUntil(product: Product, world: World, load: Load, until: number): Promise<void> {
  const order = shots(world);
  let started = load.sum;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (started < until) {
        const shot = order[started % order.length];
        started += 1;
        if (shot && !(await shoot(product, shot, load))) started -= 1;
        if (load.sum >= until) return;
      }
    }),
  );
}

async function stopBy(product: Product, signal: NodeJS.Signals, load: Load): Promise<void> {
  const at = performance.now();
  if (signal === "SIGKILL") load.atRisk.push(load.recent.filter((time) => at - time < 1000).length);
  load.recent = [];
  product.process.kill(signal);
  await product.ended;
}

async function counted(product: Product, { tenant, sessionId }: World, groups: string[]): Promise<Map<string, number>> {
  const [from, to] = [Date.now() - 7_200_000, Date.now() + 3_600_000].map((at) => new Date(at).toISOString());
  const query = new URLSearchParams([["from", from ?? ""], ["to", to ?? ""], ["limit", "100"], ...groups.map((group) => ["group", group])]);
  const headers = { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
  const response = await fetch(`${product.url}/v1/api-metrics/metrics/top?${query}`, { headers });
  const body: { groups: Record<string, string>; count: number }[] = await response.json();
  return new Map(body.map((one) => [groups.map((group) => one.groups[group]).join(" "), one.count]));
}

const sumOf = (counts: Map<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0);

async function main(dataDir: string): Promise<void> {
  await seed(dataDir, 20);
  const load: Load = { answered: new Map(), sum: 0, unanswered: 0, atRisk: [], recent: [] };
  const env = { RATE_LIMITS: "off" };
  let product = await startProduct(dataDir, env);
  const world = await enter(product.url, dataDir);
  for (const [share, signal] of [...stops, [1, "SIGTERM"] as const]) {
    await shootUntil(product, world, load, Math.round(total * share));
    await stopBy(product, signal, load);
    product = await startProduct(dataDir, env);
  }
  await pause(3000);
  const found = await counted(product, world, ["endpoint", "status"]);
  const missing = [...load.answered].map(([key, calls]) => [key, calls, found.get(key) ?? 0] as const);
  for (const [key, calls, here] of missing) process.stdout.write(`${key.padEnd(40)} answered ${calls}, counted ${here}\n`);
  const lost = missing.reduce((all, [, calls, here]) => all + calls - here, 0);
  process.stdout.write(
    `answered ${load.sum}, lost ${lost}; at risk in the last second before each kill: ${load.atRisk.join(", ")}; without an answer ${load.unanswered}\n`,
  );
  for (const group of ["domain", "endpoint", "status", "statusClass", "apiKey", "user", "method", "credentialKind", "site"]) {
    process.stdout.write(`sum by ${group}: ${sumOf(await counted(product, world, [group]))}\n`);
  }
  await product.stop();
}

const dataDir = makeStoreFolder();
try {
  await main(dataDir);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
