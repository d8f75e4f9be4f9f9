import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { makeStoreFolder } from "@/lib/server/testing/product";
import type { LoadRequest } from "./load";
import { load, startMeasured } from "./processes";
import { enter, seed, type World } from "./seed";

const seconds = Number(process.env.BENCH_SECONDS) || 4;
const inFlight = 200;
const readers = 4;

/** Keeps one login in flight; after a response with Retry-After it waits for that time. Counts the responses by status. */
async function signIn(
  url: string,
  { tenant, site, shopper }: World,
  until: number,
  statuses: Record<string, number>,
): Promise<void> {
  const authorization = { Authorization: `Bearer ${shopper.anonymousToken}` };
  const headers = {
    "X-Service-Tenant": tenant,
    "X-Service-Site": site,
    "Content-Type": "application/json",
    ...authorization,
  };
  const body = JSON.stringify({ login: shopper.login, password: shopper.password });
  while (performance.now() < until) {
    const response = await fetch(`${url}/v1/customer/login/token`, {
      method: "POST",
      headers,
      body,
    });
    await response.text();
    const retryAfter = response.headers.get("retry-after");
    const kind = `${response.status}${retryAfter ? " with Retry-After" : ""}`;
    statuses[kind] = (statuses[kind] ?? 0) + 1;
    if (retryAfter) await pause(Number(retryAfter) * 1000);
  }
}

function cheapRead({ tenant, site, shopper }: World): LoadRequest {
  const headers = {
    "X-Service-Tenant": tenant,
    "X-Service-Site": site,
    Authorization: `Bearer ${shopper.accessToken}`,
  };
  return { method: "GET", path: "/v1/customer/profile", headers };
}

/** Measures how 200 logins in flight slow down a cheap read: its p99 with and without them, and the statuses of the logins. */
async function run(dataDir: string): Promise<void> {
  await seed(dataDir, 5);
  const product = await startMeasured(dataDir);
  try {
    const world = await enter(product.url, dataDir);
    const read = { url: product.url, request: cheapRead(world), connections: readers };
    await load({ ...read, seconds: 1 });
    const quiet = await load({ ...read, seconds });
    const statuses: Record<string, number> = {};
    const until = performance.now() + (seconds + 2) * 1000;
    const flood = Promise.all(
      Array.from({ length: inFlight }, () => signIn(product.url, world, until, statuses)),
    );
    await pause(1000);
    const flooded = await load({ ...read, seconds });
    await flood;
    process.stdout.write(
      `cheap read, quiet: ${quiet.perSecond.toFixed(0)}/s, p99 ${quiet.p99.toFixed(2)} ms\n`,
    );
    process.stdout.write(
      `cheap read beside ${inFlight} logins in flight: ${flooded.perSecond.toFixed(0)}/s, p99 ${flooded.p99.toFixed(2)} ms`,
    );
    process.stdout.write(` (${(flooded.p99 / quiet.p99).toFixed(1)} times)\n`);
    process.stdout.write(`logins by status: ${JSON.stringify(statuses)}\n`);
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
