import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeStoreFolder, startProduct } from "@/lib/server/testing/product";
import { rollUnderLoad } from "@/lib/server/testing/rolling";
import { cases } from "./cases";
import { startServer } from "./faults/server";
import { enter, seed } from "./seed";

/*
 * npm run bench -- rolling [rounds] [requests]: two processes on one PostgreSQL behind a balancer that follows /readyz without
 * retries; each is replaced 5 times, and until this many requests were answered, under a load of reads, writes and streamed lists.
 * Prints the results of the requests, and fails when one failed.
 */

const asked = ["list-users", "current-session", "own-profile", "get-preview", "list-all-users"];
const [rounds, leastRequests] = [Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 0)];
const folder = makeStoreFolder();
const storeFolder = join(folder, "store");
mkdirSync(storeFolder, { mode: 0o711 });
const server = await startServer(storeFolder);
const env = {
  DATABASE_URL: server.url,
  SECRET_KEY: randomBytes(32).toString("base64"),
  RATE_LIMITS: "off",
  PUBLIC_URL: "http://localhost:3000",
};
Object.assign(process.env, env);
try {
  await seed(folder, 200);
  const first = await startProduct(folder, env);
  const world = await enter(first.url, folder);
  await first.stop();
  const named = (name: string) =>
    cases
      .filter((one) => one.name === name)
      .map(({ request }) => {
        const { path, ...others } = request(world);
        return { ...others, path: String(path) };
      });
  // Only one writer, because all but two waiting writes of one tenant are rejected.
  const requestsOf = (caller: number) => [
    ...asked.flatMap(named),
    ...(caller === 0 ? named("put-preview") : []),
  ];
  const startedAt = performance.now();
  const rolled = await rollUnderLoad({
    folder,
    env,
    rounds,
    leastRequests,
    callers: 16,
    requestsOf,
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  process.stdout.write(
    `${rolled.requests} requests in ${seconds} s, ${rolled.restarts} restarts: ${rolled.failed.length} failed; slowest ${rolled.slowestMilliseconds.toFixed(0)} ms\n`,
  );
  for (const one of new Set(rolled.failed)) process.stdout.write(`  ${one}\n`);
  process.exitCode = rolled.failed.length === 0 ? 0 : 1;
} finally {
  await server.stop("SIGINT");
  rmSync(folder, { recursive: true, force: true });
}
