import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";
import { firstBrokenEntry } from "./audit-chain";
import { enter, seed, type World } from "./seed";

const rounds = Number(process.argv[2]) || 50;
const writers = 8;
const longestRound = 1500;

/** Makes keys one after the other until the server is gone; only what was answered with 200 counts. */
async function createKeys(
  { url }: Product,
  { tenant, sessionId }: World,
  name: string,
  acknowledged: Set<string>,
): Promise<void> {
  const headers = {
    "Content-Type": "application/json",
    "X-Service-Tenant": tenant,
    "X-Service-Session-Id": sessionId,
  };
  const validTo = new Date(Date.now() + 86_400_000).toISOString();
  for (let n = 0; ; n += 1) {
    try {
      const body = JSON.stringify({ name: `${name} ${n}`, validTo });
      const response = await fetch(`${url}/v1/user/profile/api-keys`, {
        method: "POST",
        headers,
        body,
      });
      const { apiKeyId } = await response.json();
      if (!response.ok) throw new Error(`${response.status}`);
      acknowledged.add(apiKeyId);
    } catch {
      return;
    }
  }
}

/** Every key of the caller, page by page. */
async function storedKeys({ url }: Product, { tenant, sessionId }: World): Promise<Set<string>> {
  const found = new Set<string>();
  let next: string | undefined = "/v1/user/profile/api-keys?limit=200";
  while (next !== undefined) {
    const response: Response = await fetch(url + next, {
      headers: { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId },
    });
    if (!response.ok) throw new Error(`${next}: ${response.status} ${await response.text()}`);
    for (const { apiKeyId } of await response.json()) found.add(apiKeyId);
    next = /<([^>]+)>; rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
  }
  return found;
}

async function killedRound(
  dataDir: string,
  round: number,
  acknowledged: Set<string>,
): Promise<number> {
  const from = performance.now();
  const product = await startProduct(dataDir, { RATE_LIMITS: "off" });
  const readyAfter = performance.now() - from;
  const world = await enter(product.url, dataDir);
  const work = Array.from({ length: writers }, (_, i) =>
    createKeys(product, world, `round ${round} writer ${i}`, acknowledged),
  );
  await pause(Math.random() * longestRound);
  product.process.kill("SIGKILL");
  await product.ended;
  await Promise.all(work);
  return readyAfter;
}

async function main(dataDir: string): Promise<boolean> {
  await seed(dataDir, 20);
  const acknowledged = new Set<string>();
  const starts: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    starts.push(await killedRound(dataDir, round, acknowledged));
    process.stdout.write(
      `\rkilled ${round} of ${rounds} times, ${acknowledged.size} keys acknowledged`,
    );
  }
  const product = await startProduct(dataDir, { RATE_LIMITS: "off" });
  const stored = await storedKeys(product, await enter(product.url, dataDir));
  await product.stop();
  const lost = [...acknowledged].filter((id) => !stored.has(id));
  const chain = await firstBrokenEntry(dataDir, "bench");
  starts.sort((a, b) => a - b);
  process.stdout.write(
    `\nready again after ${starts[rounds >> 1]?.toFixed(0)} ms (median), ${starts.at(-1)?.toFixed(0)} ms (longest)\n`,
  );
  process.stdout.write(`acknowledged keys lost: ${lost.length}\n`);
  process.stdout.write(
    `audit chain: ${chain.broken === undefined ? `${chain.entries} entries verify` : `broken at entry ${chain.broken}`}\n`,
  );
  return lost.length === 0 && chain.broken === undefined;
}

const dataDir = makeStoreFolder();
try {
  process.exitCode = (await main(dataDir)) ? 0 : 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
