import { rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { makeStoreFolder } from "@/lib/server/testing/product";
import { createClient } from "@/sdk/src/index.js";
import { startMeasured } from "./processes";
import { enter, seed } from "./seed";

const rounds = Number(process.env.BENCH_ROUNDS) || 5;
const verdictsInRound = 100_000;
/** A verifier starts caching after it has followed the feed for two seconds. */
const untilItKeepsMs = 3000;

/** Microseconds that a cached verification takes in the calling service, by round. */
async function run(dataDir: string): Promise<void> {
  await seed(dataDir, 1000);
  const product = await startMeasured(dataDir);
  try {
    const { tenant, apiKey } = await enter(product.url, dataDir);
    const verifier = createClient({ url: product.url, tenant }).verifier({ apiKey });
    const request = { apiKey, permission: "user.read", wholeTenant: true } as const;
    await verifier.verify(request);
    await setTimeout(untilItKeepsMs);
    for (let round = 1; round <= rounds; round += 1) {
      const startedAt = performance.now();
      for (let count = 0; count < verdictsInRound; count += 1) await verifier.verify(request);
      const each = ((performance.now() - startedAt) / verdictsInRound) * 1000;
      process.stdout.write(`a kept answer: ${each.toFixed(2)} microseconds\n`);
    }
    await verifier.close();
  } finally {
    await product.stop();
  }
}

const dataDir = makeStoreFolder();
try {
  await run(dataDir);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
