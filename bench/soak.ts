import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { makeStoreFolder, startProduct } from "@/lib/server/testing/product";
import { cases } from "./cases";
import { ask, type Told } from "./faults/asking";
import { residentMb } from "./overload/machine";
import { enter, seed } from "./seed";

/*
 * npm run bench -- soak [minutes]: mixed load on one process with its embedded store for 30 minutes by default. Prints its resident memory
 * minute by minute, and how much it grows after the first five; fails if that is 1 MB a minute or more, or a response was wrong.
 */

const minutes = Number(process.argv[2]) || 30;
const settledMinutes = 5;
const asked = [
  "list-users",
  "current-session",
  "own-profile",
  "get-preview",
  "put-preview",
  "create-api-key",
  "anonymous-token",
];

/** The slope of the linear regression (least squares), in MB a minute. */
function growth(points: { minute: number; mb: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const [minute, mb] = [mean(points.map((p) => p.minute)), mean(points.map((p) => p.mb))];
  const spread = points.reduce((sum, p) => sum + (p.minute - minute) ** 2, 0);
  return points.reduce((sum, p) => sum + (p.minute - minute) * (p.mb - mb), 0) / spread;
}

/** Runs the load for a minute with new credentials, because those of shoppers expire after a quarter of an hour. */
async function askForAMinute(url: string): Promise<Told[]> {
  const world = await enter(url, folder);
  const kinds = cases
    .filter(({ name }) => asked.includes(name))
    .map(({ name, request }) => ({
      name,
      request: request(world),
      isGood: (status: number) => status < 300,
    }));
  const asking = ask(url, kinds, 2);
  await pause(60_000);
  await asking.stop();
  return asking.response;
}

async function soak(url: string, pid: number): Promise<boolean> {
  const points: { minute: number; mb: number }[] = [];
  const wrong = new Set<string>();
  for (let minute = 1; minute <= minutes; minute += 1) {
    const answers = await askForAMinute(url);
    for (const one of answers) if (one.wrong !== undefined) wrong.add(`${one.kind}: ${one.wrong}`);
    const mb = residentMb(pid);
    points.push({ minute, mb });
    process.stdout.write(
      `minute ${minute}: ${mb.toFixed(0)} MB, ${answers.filter(({ isGood }) => isGood).length} good of ${answers.length}\n`,
    );
  }
  const perMinute = growth(points.filter(({ minute }) => minute > settledMinutes));
  process.stdout.write(`grows by ${perMinute.toFixed(2)} MB a minute after the first five\n`);
  for (const one of wrong) process.stdout.write(`  ${one}\n`);
  return perMinute < 1 && wrong.size === 0;
}

const folder = makeStoreFolder();
try {
  await seed(folder, 200);
  const product = await startProduct(folder, { RATE_LIMITS: "off" });
  try {
    process.exitCode = (await soak(product.url, product.process.pid ?? 0)) ? 0 : 1;
  } finally {
    await product.stop();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
