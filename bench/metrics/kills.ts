import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { enter, seed, type World } from "@/bench/seed";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";

const total = Number(process.argv[2]) || 100_000;
const connections = 32;
/** The shares of the calls after which the server is stopped. */
const stops: [share: number, signal: NodeJS.Signals][] = [
  [0.15, "SIGKILL"],
  [0.3, "SIGTERM"],
  [0.45, "SIGKILL"],
  [0.6, "SIGKILL"],
  [0.75, "SIGTERM"],
  [0.9, "SIGKILL"],
  [1, "SIGTERM"],
];

interface Shot {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Its name in the metrics of the service. */
  endpoint: string;
}

interface Load {
  /** Answered calls by endpoint and status. */
  answered: Map<string, number>;
  sum: number;
  /** Calls without a response: the server may have counted them or not. */
  unanswered: number;
  /** The times of responses since the last start. */
  times: number[];
}

function shots({ tenant, sessionId, apiKey }: World): Shot[] {
  const session = { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
  const key = { "X-Service-Tenant": tenant, "X-Service-API-Key": apiKey };
  return [
    { method: "GET", path: "/v1/user/session", headers: session, endpoint: "GET /v1/user/session" },
    { method: "GET", path: "/v1/user/list?limit=1", headers: key, endpoint: "GET /v1/user/list" },
    { method: "GET", path: "/v1/user/user_none", headers: key, endpoint: "GET /v1/user/{id}" },
    {
      method: "GET",
      path: "/v1/user/roles",
      headers: { "X-Service-Tenant": tenant },
      endpoint: "GET /v1/user/roles",
    },
    { method: "DELETE", path: "/v1/user/roles", headers: key, endpoint: "DELETE /v1/user/roles" },
    {
      method: "GET",
      path: "/v1/user/list?colour=red",
      headers: session,
      endpoint: "GET /v1/user/list",
    },
    { method: "GET", path: "/v1/nothing/here", headers: session, endpoint: "*" },
  ];
}

async function shoot(product: Product, shot: Shot, load: Load): Promise<boolean> {
  try {
    const response = await fetch(product.url + shot.path, {
      method: shot.method,
      headers: shot.headers,
    });
    await response.arrayBuffer();
    const key = `${shot.endpoint} ${response.status}`;
    load.answered.set(key, (load.answered.get(key) ?? 0) + 1);
    load.sum += 1;
    load.times.push(performance.now());
    return true;
  } catch (error) {
    // A rejected connection does not count as a call.
    if (!String((error as Error).cause).includes("ECONNREFUSED")) load.unanswered += 1;
    return false;
  }
}

/**
 * Sends requests until the server has ended; it gets the signal after `calls` responses. Resolves to the number of responses in the
 * last second before the signal.
 */
async function shootAndStop(
  product: Product,
  world: World,
  load: Load,
  { calls, signal }: { calls: number; signal: NodeJS.Signals },
): Promise<number> {
  const order = shots(world);
  let [shot, lastSecond] = [0, -1];
  const stop = () => {
    const at = performance.now();
    lastSecond = load.times.filter((time) => at - time < 1000).length;
    product.process.kill(signal);
  };
  load.times = [];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (;;) {
        const next = order[shot % order.length];
        shot += 1;
        if (!next || !(await shoot(product, next, load))) return;
        if (load.sum >= calls && lastSecond < 0) stop();
      }
    }),
  );
  await product.ended;
  return lastSecond;
}

async function counted(
  product: Product,
  { tenant, sessionId }: World,
  groups: string[],
): Promise<Map<string, number>> {
  const [from, to] = [Date.now() - 7_200_000, Date.now() + 3_600_000].map((at) =>
    new Date(at).toISOString(),
  );
  const query = new URLSearchParams([
    ["from", from ?? ""],
    ["to", to ?? ""],
    ["limit", "100"],
    ...groups.map((group) => ["group", group]),
  ]);
  const headers = { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
  const response = await fetch(`${product.url}/v1/api-metrics/metrics/top?${query}`, { headers });
  const body: { groups: Record<string, string>; count: number }[] = await response.json();
  return new Map(
    body.map((one) => [groups.map((group) => one.groups[group]).join(" "), one.count]),
  );
}

const sumOf = (counts: Map<string, number>) =>
  [...counts.values()].reduce((all, one) => all + one, 0);

/** The number of answered calls that the service has counted after it has recovered the spool of the stopped process. */
async function countedOf(product: Product, world: World, load: Load): Promise<number> {
  let [last, sum] = [-1, 0];
  while (sum !== last) {
    last = sum;
    await pause(2000);
    const found = await counted(product, world, ["endpoint", "status"]);
    sum = [...load.answered.keys()].reduce((all, key) => all + (found.get(key) ?? 0), 0);
  }
  return sum;
}

interface Stop {
  signal: NodeJS.Signals;
  answered: number;
  cutOff: number;
  missing: number;
  /** Responses within the last second before the signal. */
  lastSecond: number;
}

/** A killed process may have counted calls that were cut off, which must not hide a lost one. On SIGTERM it answers all accepted calls. */
function report({ signal, answered, cutOff, missing, lastSecond }: Stop): void {
  const isKill = signal === "SIGKILL";
  const lost = isKill ? `${Math.max(0, missing)} to ${missing + cutOff}` : `${missing}`;
  const isKept = isKill ? missing + cutOff <= lastSecond + connections : missing === 0;
  const max = isKill ? `answered in the second before: ${lastSecond}` : "none may be";
  process.stdout.write(
    `${signal} after ${answered} answers, ${cutOff} cut off: ${lost} lost (${max}) ${isKept ? "kept" : "BROKEN"}\n`,
  );
}

async function main(dataDir: string): Promise<void> {
  await seed(dataDir, 20);
  const load: Load = { answered: new Map(), sum: 0, unanswered: 0, times: [] };
  const env = { RATE_LIMITS: "off" };
  let product = await startProduct(dataDir, env);
  const world = await enter(product.url, dataDir);
  let missingBefore = 0;
  for (const [share, signal] of stops) {
    const before = load.unanswered;
    const lastSecond = await shootAndStop(product, world, load, {
      calls: Math.round(total * share),
      signal,
    });
    product = await startProduct(dataDir, env);
    const missing = load.sum - (await countedOf(product, world, load));
    report({
      signal,
      answered: load.sum,
      cutOff: load.unanswered - before,
      missing: missing - missingBefore,
      lastSecond,
    });
    missingBefore = missing;
  }
  process.stdout.write(
    `answered in all ${load.sum}, missing ${missingBefore}, cut off ${load.unanswered}\n`,
  );
  const sums = await Promise.all(
    [
      "domain",
      "endpoint",
      "status",
      "statusClass",
      "apiKey",
      "user",
      "method",
      "credentialKind",
      "site",
    ].map(async (group) => `${group} ${sumOf(await counted(product, world, [group]))}`),
  );
  process.stdout.write(`sums by grouping: ${sums.join(", ")}\n`);
  await product.stop();
}

const dataDir = makeStoreFolder();
try {
  await main(dataDir);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
