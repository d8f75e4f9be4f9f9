import { existsSync, readdirSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findPostmaster } from "@/lib/database/embedded/postmaster";
import { mergeExpositions } from "@/lib/server/health/measures";
import {
  ensureBuilt,
  makeStoreFolder,
  type Product,
  startProduct,
} from "@/lib/server/testing/product";

const dataDir = makeStoreFolder();
let product: Product;

beforeAll(async () => {
  ensureBuilt();
  product = await startProduct(dataDir, { DATABASE_URL: "", DEMO: "on", WORKERS: "2" });
}, 180_000);
afterAll(async () => {
  await product.stop();
  rmSync(dataDir, { recursive: true });
});

/** On a separate connection, so that any of the processes may accept it. */
function ask(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false });
    get(`${product.url}${path}`, { agent }, async (response) => {
      let text = "";
      for await (const bytes of response) text += bytes;
      if (response.statusCode === 200) resolve(text);
      else reject(new Error(`${response.statusCode} ${text}`));
    }).on("error", reject);
  });
}

/** Sends as a client that retries once if the connection was closed. */
const askTwice = (path: string) => ask(path).catch(() => ask(path));

/** The ids of the serving processes by worker number, from one scrape of any of them. */
async function workerIds(): Promise<Map<string, number>> {
  const text = await askTwice("/internal/metrics");
  const found = text.matchAll(/^process_pid\{worker="(\d+)"\} (\d+)$/gm);
  return new Map([...found].map(([, number = "", pid]) => [number, Number(pid)]));
}

/** As above, once both have answered the scrape: on a slow machine one may be late for it. */
async function bothIds(): Promise<Map<string, number>> {
  let ids = await workerIds();
  while (ids.size < 2) ids = await workerIds();
  return ids;
}

/** How many requests for this path each process has answered. */
async function answered(route: string): Promise<number[]> {
  const pattern = new RegExp(`_count\\{worker="(\\d+)",.*route="${route}".*\\} (\\d+)`, "g");
  const counts = [0, 0, 0];
  for (const [, number, count] of (await askTwice("/internal/metrics")).matchAll(pattern))
    counts[Number(number)] = (counts[Number(number)] ?? 0) + Number(count);
  return counts.slice(1);
}

test("two processes serve on one port, and the one-time password is printed once", async () => {
  await bothIds();
  const isAnsweredByBoth = async () => {
    await Promise.all(Array.from({ length: 20 }, () => ask("/healthz")));
    return (await answered("/healthz")).every((count) => count > 0);
  };
  await expect.poll(isAnsweredByBoth).toBe(true);
  expect(product.output().match(/ {2}Password {3}/g)).toHaveLength(1);
  expect(product.output().match(/is reached at/g)).toHaveLength(1);
});

test("a killed process is replaced, no request that is retried once fails, and the store stays", async () => {
  const before = await bothIds();
  let isOver = false;
  let failed = 0;
  const asking = Array.from({ length: 4 }, async () => {
    while (!isOver) await askTwice("/readyz").catch(() => (failed += 1));
  });
  const killed = before.get("2");
  if (killed !== undefined) process.kill(killed, "SIGKILL");
  const replacement = async () => (await workerIds()).get("2");
  await expect
    .poll(replacement, { timeout: 100_000 })
    .toSatisfy((pid) => pid !== undefined && pid !== killed);
  isOver = true;
  await Promise.all(asking);
  expect(failed).toBe(0);
  expect((await bothIds()).get("1")).toBe(before.get("1"));
  expect(product.output()).toContain('"a worker ended"');
});

test("SIGTERM ends all of them and the embedded store, with exit code 0", async () => {
  const ids = [...(await bothIds()).values()];
  expect(await product.stop()).toBe(0);
  expect(ids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  expect(readdirSync(join(dataDir, "postgres", "cluster"))).not.toContain("postmaster.pid");
});

test("processes whose supervisor was killed end, and with the last of them the embedded store", async () => {
  product = await startProduct(dataDir, { DATABASE_URL: "", WORKERS: "2" });
  const ids = [...(await bothIds()).values()];
  product.process.kill("SIGKILL");
  const left = () => ids.filter((pid) => existsSync(`/proc/${pid}`));
  await expect.poll(left).toEqual([]);
  // Killed if it takes too long to stop, which leaves its file.
  expect(findPostmaster(join(dataDir, "postgres", "cluster"))).toBeUndefined();
});

test("the measurements of several processes are one text, with each metric described once", () => {
  const of = (worker: number) =>
    `# HELP up Whether.\n# TYPE up gauge\nup{worker="${worker}"} 1\n\n# HELP n N.\n# TYPE n counter\nn{worker="${worker}"} ${worker}\n`;
  expect(mergeExpositions([of(1), of(2)])).toBe(
    '# HELP up Whether.\n# TYPE up gauge\nup{worker="1"} 1\nup{worker="2"} 1\n\n# HELP n N.\n# TYPE n counter\nn{worker="1"} 1\nn{worker="2"} 2\n',
  );
});
