import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { operations } from "@/lib/catalogue/operations";
import { type Endpoint, methodOf, pathOf } from "@/lib/protocol/endpoint";
import { makeStoreFolder } from "@/lib/server/testing/product";
import { hostileBodies } from "./hostile-bodies";
import { runAttack, runStreams } from "./hostile-streams";
import { startMeasured } from "./processes";
import { enter, seed, type World } from "./seed";

/** The maximum time that one request may block the event loop. */
const goalMs = 50;
/** The minimum of this many rounds counts, to exclude pauses of the machine. */
const rounds = Number(process.env.BENCH_ROUNDS) || 3;

/** The longest block since the previous call: the product measures it itself, and resets it when it reports it. */
async function longestHold(url: string): Promise<number> {
  const measures = await (await fetch(`${url}/internal/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(measures)?.[1]) * 1000;
}

function headersFor(
  { plane, credentials, consumes }: Endpoint,
  world: World,
): Record<string, string> {
  const { tenant, site, sessionId, shopper } = world;
  const named = {
    "Content-Type": consumes,
    "X-Service-Tenant": tenant,
    "X-Service-Site": site,
    "If-Match": "*",
  };
  if (plane === "management") return { ...named, "X-Service-Session-Id": sessionId };
  const token = credentials.includes("customer") ? shopper.accessToken : shopper.anonymousToken;
  return { ...named, Authorization: `Bearer ${token}` };
}

async function holdOf(
  url: string,
  declared: Endpoint,
  world: World,
  text: string,
): Promise<number> {
  const path = pathOf(declared).replace(/\{\w+\}/g, "home");
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && least > goalMs / 2; round += 1) {
    await longestHold(url);
    const response = await fetch(`${url}${path}`, {
      method: methodOf(declared),
      headers: headersFor(declared, world),
      body: text,
    });
    await response.arrayBuffer();
    least = Math.min(least, await longestHold(url));
  }
  return least;
}

/** The worst body of each operation that takes one, and how long it blocked the event loop. */
async function run(dataDir: string): Promise<boolean> {
  await seed(dataDir, 5);
  const product = await startMeasured(dataDir);
  let isWithinGoal = true;
  try {
    const world = await enter(product.url, dataDir);
    for (const declared of operations.filter(({ body }) => body)) {
      let worst = { name: "", ms: 0 };
      for (const { name, text } of hostileBodies(declared)) {
        const ms = await holdOf(product.url, declared, world, text);
        if (ms > worst.ms) worst = { name, ms };
      }
      const mark = worst.ms > goalMs ? "  beyond the goal" : "";
      isWithinGoal &&= worst.ms <= goalMs;
      process.stdout.write(
        `${declared.operation.padEnd(58)}${worst.ms.toFixed(1).padStart(8)} ms  ${worst.name}${mark}\n`,
      );
    }
  } finally {
    await product.stop();
  }
  return isWithinGoal;
}

async function runBodies(): Promise<boolean> {
  const folder = makeStoreFolder();
  process.stdout.write(
    `The longest that one request with a hostile body holds the event loop; goal: ${goalMs} ms. The delay is told in steps of 10 ms.\n`,
  );
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ofWorkers(workers: string): Promise<boolean> {
  const child = fork(process.argv[1] ?? "", ["streams-of", workers]);
  const [code] = await once(child, "exit");
  return code === 0;
}

/*
 * npm run bench -- hostile [bodies | streams]: single bodies, then streams of requests of strangers with a sandbox, on one process and
 * on two. BENCH_SECONDS is for each stream (20), BENCH_TOGETHER_SECONDS for all of them at once (300), BENCH_STREAMS="mails,comments" runs
 * only these.
 */
const [what, order = ""] = process.argv.slice(2);
if (what === "attack") await runAttack(order);
else {
  const results: boolean[] = [];
  if (!what?.startsWith("streams")) results.push(await runBodies());
  if (what === "streams-of") results.push(await runStreams(Number(order)));
  // A separate process for each, because the secrets of a store are read only once.
  else if (what !== "bodies")
    for (const workers of ["1", "2"]) results.push(await ofWorkers(workers));
  if (results.includes(false)) process.exitCode = 1;
}
