import { rmSync } from "node:fs";
import { printTable } from "@/bench/metrics/report";
import { startMeasured } from "@/bench/processes";
import { makeStoreFolder } from "@/lib/server/testing/product";
import { measureBrowser } from "./browser";
import { seedMany } from "./data";
import { measureInterface } from "./interface";

/** Measures how long a search of 50,000 users takes: in the API, and in a browser from the keystroke to the painted rows. */
async function run(dataDir: string): Promise<void> {
  await seedMany(dataDir);
  const product = await startMeasured(dataDir);
  try {
    await measureInterface(product.url);
    await measureBrowser(product.url.replace("127.0.0.1", "localhost"));
  } finally {
    await product.stop();
  }
  printTable();
}

const dataDir = makeStoreFolder();
try {
  await run(dataDir);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
