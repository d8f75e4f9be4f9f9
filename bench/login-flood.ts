import { rmSync } from "node:fs";
import { makeStoreFolder } from "@/lib/door/testing/product";
import type { LoadRequest } from "./load";
import { load, startMeasured } from "./processes";
import { enter, seed, type World } from "./seed";

const seconds = Number(process.env.BENCH_SECONDS) || 4;
const inFlight = 200;
const readers = 4;

function login({ tenant, site, shopper }: World): LoadRequest {
  const headers = { "X-Service-Tenant": tenant, "X-Service-Site": site, Authorization: `Bearer ${shopper.anonymousToken}` };
  const body = JSON.stringify({ login: shopper.login, password: shopper.password });
  return { method: "POST", path: "/v1/customer/login/token", headers, body };
}

function cheapRead({ tenant, site, shopper }: World): LoadRequest {
  const headers = { "X-Service-Tenant": tenant, "X-Service-Site": site, Authorization: `Bearer ${shopper.accessToken}` };
  return { method: "GET", path: "/v1/customer/profile", headers };
}

/** What 200 logins in flight do to a cheap read: its p99 with and without them, and how the logins were answered. */
async function run(dataDir: string): Promise<void> {
  await seed(dataDir, 5);
  const product = await startMeasured(dataDir);
  try {
    const world = await enter(product.url, dataDir);
    const read = { url: product.url, request: cheapRead(world), connections: readers };
    await load({ ...read, seconds: 1 });
    const quiet = await load({ ...read, seconds });
    const flood = load({ url: product.url, request: login(world), connections: inFlight, seconds: seconds + 2 });
    const [flooded, logins] = await Promise.all([load({ ...read, seconds }), flood]);
    process.stdout.write(`cheap read, quiet: ${quiet.perSecond.toFixed(0)}/s, p99 ${quiet.p99.toFixed(2)} ms\n`);
    process.stdout.write(
      `cheap read beside ${inFlight} logins in flight: ${flooded.perSecond.toFixed(0)}/s, p99 ${flooded.p99.toFixed(2)} ms`,
    );
    process.stdout.write(` (${(flooded.p99 / quiet.p99).toFixed(1)} times)\n`);
    process.stdout.write(
      `logins by status: ${JSON.stringify(logins.statuses)}, p50 ${logins.p50.toFixed(0)} ms, p99 ${logins.p99.toFixed(0)} ms\n`,
    );
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
