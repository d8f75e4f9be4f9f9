import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { firstBrokenEntry } from "@/bench/audit-chain";
import { enter, seed, type World } from "@/bench/seed";
import { db, openStore } from "@/lib/database/open";
import { startBalancer } from "@/lib/server/testing/balancer";
import { makeStoreFolder, startProduct } from "@/lib/server/testing/product";
import { startCluster } from "./cluster";

/*
 * npm run bench -- failover [rounds]: two processes, and a balancer before them, on a store of two PostgreSQL servers under Patroni. The
 * primary is killed 10 times by default. Prints how many acknowledged writes were lost, and when each process and the balancer answered again
 * after the other server had taken over.
 */

interface Written {
  node: string;
  id: string;
  at: number;
}

const idIn = (body: string) => String((JSON.parse(body) as { apiKeyId: string }).apiKeyId);

/** Writes and reads through one address until it is stopped; remembers what was acknowledged, and when. */
async function keepWriting(
  url: string,
  { tenant, sessionId, apiKey }: World,
  written: Written[],
  isOver: () => boolean,
): Promise<void> {
  const validTo = new Date(Date.now() + 86_400_000).toISOString();
  const headers = {
    "Content-Type": "application/json",
    "X-Service-Tenant": tenant,
    "X-Service-Session-Id": sessionId,
  };
  while (!isOver()) {
    const name = `drill ${randomBytes(8).toString("hex")}`;
    try {
      const signal = AbortSignal.timeout(30_000);
      const init = { method: "POST", headers, body: JSON.stringify({ name, validTo }), signal };
      const response = await fetch(`${url}/v1/user/profile/api-keys`, init);
      const body = await response.text();
      const list = await fetch(`${url}/v1/user/list?limit=1`, {
        headers: { "X-Service-Tenant": tenant, "X-Service-API-Key": apiKey },
      });
      await list.body?.cancel();
      if (response.ok && list.ok)
        written.push({ node: url, id: idIn(body), at: performance.now() });
      else if (response.ok) written.push({ node: "", id: idIn(body), at: 0 });
      else if (response.status !== 503) process.stdout.write(`  ${response.status} ${body}\n`);
    } catch (error) {
      process.stdout.write(`  ${String(error)}\n`);
    }
    await pause(50);
  }
}

type Store = Awaited<ReturnType<typeof startCluster>>;

/** Kills the primary; answers how long each address took from the moment the other server accepted writes. */
async function failOver(cluster: Store, urls: string[], written: Written[]): Promise<number[]> {
  await cluster.untilStandbyIsReady();
  const dying = await cluster.primary();
  if (dying === undefined) throw new Error("No server accepts writes.");
  cluster.kill(dying);
  const killed = performance.now();
  let next = await cluster.primary();
  for (; next === undefined || next === dying; next = await cluster.primary()) await pause(20);
  const promoted = performance.now();
  const firstAfter = (url: string) => written.find(({ node, at }) => node === url && at > killed);
  for (const end = promoted + 60_000; !urls.every(firstAfter); await pause(20))
    if (performance.now() > end) throw new Error("An address does not come back.");
  const after = urls.map((url) => Math.max(0, (firstAfter(url)?.at ?? 0) - promoted));
  const promotion = ((promoted - killed) / 1000).toFixed(1);
  process.stdout.write(
    `taken over after ${promotion} s, answered again ${after.map((ms) => `${ms.toFixed(0)} ms`).join(" and ")} later\n`,
  );
  cluster.start(dying);
  return after;
}

async function isComplete(folder: string, written: Written[]): Promise<boolean> {
  await openStore();
  const { rows } = await db().$client.query<{ id: string }>(
    "select api_key_id as id from api_keys",
  );
  const stored = new Set(rows.map(({ id }) => id));
  const lost = written.filter(({ id }) => !stored.has(id)).length;
  const { entries, broken } = await firstBrokenEntry(folder, "bench");
  const chain = broken === undefined ? `${entries} entries verify` : `broken at ${broken}`;
  process.stdout.write(`${written.length} acknowledged, ${lost} lost; audit chain: ${chain}\n`);
  return lost === 0 && broken === undefined;
}

async function drill(folder: string, cluster: Store, rounds: number): Promise<boolean> {
  const settings = {
    DATABASE_URL: cluster.url,
    SECRET_KEY: randomBytes(32).toString("base64"),
    RATE_LIMITS: "off",
  };
  Object.assign(process.env, settings);
  await seed(folder, 50);
  const nodes = [await startProduct(folder, settings), await startProduct(folder, settings)];
  const balancer = await startBalancer(nodes.map(({ url }) => url));
  const urls = [...nodes, balancer].map(({ url }) => url);
  const written: Written[] = [];
  let isOver = false;
  const world = await enter(nodes[0]?.url ?? "", folder);
  const writing = urls.map((url) => keepWriting(url, world, written, () => isOver));
  const back: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1)
      back.push(...(await failOver(cluster, urls, written)));
  } finally {
    isOver = true;
    await Promise.all(writing);
    await balancer.close();
    for (const node of nodes) await node.stop();
  }
  process.stdout.write(`answered again at the latest after ${Math.max(...back).toFixed(0)} ms\n`);
  return (await isComplete(folder, written)) && Math.max(...back) <= 5000;
}

const rounds = Number(process.argv[2] ?? 10);
const folder = makeStoreFolder();
const cluster = await startCluster(folder);
try {
  process.exitCode = (await drill(folder, cluster, rounds)) ? 0 : 1;
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
