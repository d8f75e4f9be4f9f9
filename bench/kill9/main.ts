import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Endpoint, openEndpoints } from "@/bench/deliveries/receivers";
import { killAll, processesOf } from "@/bench/drill/servers";
import { type Server, startServer } from "@/bench/faults/server";
import { enter, seed, type World } from "@/bench/seed";
import { testCertificate } from "@/lib/features/destinations/audit-streams/testing/certificate";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";
import { judge } from "./judge";
import {
  changedLogin,
  changedPreview,
  countAcknowledged,
  type Diary,
  newDiary,
  type Shop,
  send,
  writeUntilGone,
} from "./writers";

/*
 * npm run bench -- kill9 [rounds] [external]: kills the service (200 times) by SIGKILL at a random time during writes of eight
 * kinds, every fourth time together with the PostgreSQL of its store. Afterwards no acknowledged write may be missing, the trail must
 * be valid, and a webhook must have received every created user. `external`: on a PostgreSQL over TCP instead of the embedded one. An
 * interrupt ends it after the current round.
 */

const rounds = Number(process.argv[2]) || 200;
const isExternal = process.argv[3] === "external";
/** A round ends after at most this many acknowledged writes, or after this time. */
const [largestRound, longestRoundMs] = [60, 20_000];
let isInterrupted = false;
process.once("SIGINT", () => {
  isInterrupted = true;
});

interface Bench {
  dataDir: string;
  server: Server | undefined;
  env: Record<string, string>;
  endpoint: Endpoint;
  diary: Diary;
}

/** On a busy machine a store that was just killed may need longer than the timeout of a connection. */
async function enterPatiently(url: string, dataDir: string): Promise<World> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await enter(url, dataDir);
    } catch (error) {
      if (attempt === 20) throw error;
      await pause(1000);
    }
  }
}

async function startShop({ dataDir, env }: Bench): Promise<Shop & { product: Product }> {
  const product = await startProduct(dataDir, env);
  const world = await enterPatiently(product.url, dataDir);
  const headers = { "X-Service-Tenant": world.tenant, "X-Service-API-Key": world.apiKey };
  const response = await fetch(`${product.url}/v1/user/list?q=${changedLogin}`, { headers });
  const [user]: { id: string }[] = await response.json();
  return { url: product.url, world, userId: user?.id ?? "", product };
}

async function killStore({ server, dataDir }: Bench): Promise<void> {
  if (server === undefined) return killAll(processesOf(join(dataDir, "postgres", "cluster")));
  await server.kill();
  await server.start();
}

/** Returns how long the service took until it was ready. */
async function killedRound(bench: Bench, round: number): Promise<number> {
  const from = performance.now();
  const { product, ...shop } = await startShop(bench);
  const readyAfter = performance.now() - from;
  let isKilled = false;
  const early: unknown[] = [];
  const onFailure = (error: unknown) => void (isKilled || early.push(error));
  const writing = writeUntilGone(shop, bench.diary, onFailure);
  const enough = countAcknowledged(bench.diary) + Math.random() * largestRound;
  const end = performance.now() + longestRoundMs;
  while (countAcknowledged(bench.diary) < enough && performance.now() < end) await pause(10);
  // The kill comes at any time during the next write, not only right after a response.
  await pause(Math.random() * 100);
  isKilled = true;
  product.process.kill("SIGKILL");
  if (round % 4 === 0) await killStore(bench);
  await product.ended;
  await writing;
  for (const error of early) process.stdout.write(`\nround ${round}: ${String(error)}\n`);
  return readyAfter;
}

/** Creates the preview to change, and a webhook for new users. */
async function prepare(bench: Bench): Promise<void> {
  const { product, ...shop } = await startShop(bench);
  const preview = { key: changedPreview, configuration: { n: 0 } };
  await send(shop, { operation: "POST /pim/preview", body: preview });
  const webhook = { url: bench.endpoint.url, types: ["user.created"] };
  await send(shop, { operation: "POST /v1/webhooks", body: webhook });
  await send(shop, { operation: `PATCH /v1/user/${shop.userId}`, body: { name: "Nr 0" } });
  await product.stop();
}

async function run(bench: Bench): Promise<boolean> {
  const { diary } = bench;
  await prepare(bench);
  const starts: number[] = [];
  for (let round = 1; round <= rounds && !isInterrupted; round += 1) {
    starts.push(await killedRound(bench, round));
    const acknowledged = countAcknowledged(diary);
    process.stdout.write(`\rkilled ${round} of ${rounds} times, ${acknowledged} acknowledged`);
  }
  const { missing, entries } = await judge(await startShop(bench), diary, bench);
  starts.sort((a, b) => a - b);
  const [median = 0, longest = 0] = [starts[starts.length >> 1], starts.at(-1)].map(
    (ms = 0) => ms / 1000,
  );
  const { first, again } = bench.endpoint;
  process.stdout.write(
    `\nentered again after ${median.toFixed(1)} s (median), ${longest.toFixed(1)} s (longest)
${entries} entries of the trail; ${first.size} events delivered, ${again} of them again
acknowledged: ${countAcknowledged(diary)}; lost or wrong: ${missing.length}\n`,
  );
  for (const one of missing.slice(0, 20)) process.stdout.write(`  ${one}\n`);
  return missing.length === 0;
}

async function main(folder: string): Promise<boolean> {
  const [dataDir, storeDir] = [join(folder, "data"), join(folder, "store")];
  for (const one of [dataDir, storeDir]) mkdirSync(one, { mode: 0o711 });
  const server = isExternal ? await startServer(storeDir) : undefined;
  const receivers = await openEndpoints(["healthy"]);
  const authority = join(folder, "receivers.pem");
  writeFileSync(authority, testCertificate);
  const env: Record<string, string> = {
    ...(server ? { DATABASE_URL: server.url } : {}),
    SECRET_KEY: randomBytes(32).toString("base64"),
    RATE_LIMITS: "off",
    PUBLIC_URL: "http://localhost:3000",
    WEBHOOK_NETWORKS: "127.0.0.1",
    NODE_EXTRA_CA_CERTS: authority,
  };
  Object.assign(process.env, env);
  const [endpoint] = receivers.endpoints;
  if (endpoint === undefined) throw new Error("There is no receiver.");
  await seed(dataDir, 5, 0);
  try {
    return await run({ dataDir, server, env, endpoint, diary: newDiary() });
  } finally {
    receivers.close();
    if (server) await server.kill();
  }
}

const folder = makeStoreFolder();
try {
  process.exitCode = (await main(folder)) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
