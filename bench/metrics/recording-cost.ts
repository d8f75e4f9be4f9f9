import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { load } from "@/bench/processes";
import { enter, seed } from "@/bench/seed";
import { projectRoot } from "@/lib/database/data-dir";
import { drain, newRecorder, record } from "@/lib/features/metrics/recorder";
import { grouped, median, note } from "./report";

const seconds = Number(process.env.BENCH_SECONDS) || 3;
const rounds = 7;

/** The cost of counting one call, averaged over a million. */
export function measureRecording(): void {
  const recorder = newRecorder();
  const calls = Array.from({ length: 1000 }, (_, index) => ({
    tenantId: `tenant-${index % 5}`,
    siteId: "",
    domain: "user",
    endpoint: `GET /v1/resource-${index % 40}`,
    method: "GET",
    status: index % 10 === 0 ? 404 : 200,
    caller: { kind: "apiKey", credentialId: `key_${index % 20}`, userId: "user" } as const,
    ms: 0.5 + (index % 50),
  }));
  const times = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage();
    for (let round = 0; round < 1000; round += 1) for (const call of calls) record(recorder, call);
    const nanoseconds = process.cpuUsage(start).user * 1000;
    drain(recorder, true);
    return nanoseconds / (1000 * calls.length);
  });
  const cost = median(times);
  note("recording a call", `${cost.toFixed(0)} ns`, "at most 60", cost <= 60);
}

async function startServer(dataDir: string, ...flags: string[]) {
  const script = join(projectRoot(), ".server", "bench", "metrics", "server.mjs");
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    RATE_LIMITS: "off",
    NODE_ENV: "production" as const,
  };
  const child = spawn(process.execPath, ["--max-semi-space-size=32", script, ...flags], {
    stdio: ["pipe", "pipe", "inherit"],
    env,
  });
  const [line] = await once(child.stdout, "data");
  const stop = async () => {
    child.stdin.end();
    await once(child, "exit");
  };
  return { url: String(line).trim(), stop };
}

const spreadOf = (values: number[]) =>
  (Math.max(...values) - Math.min(...values)) / 2 / median(values);

/** Sends the same requests alternately to a server that counts and to one that does not. */
export async function measureRequests(dataDir: string): Promise<void> {
  await seed(dataDir, 20);
  const [counting, plain] = [await startServer(dataDir, "--record"), await startServer(dataDir)];
  try {
    const { tenant, sessionId } = await enter(counting.url, dataDir);
    const headers = { "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
    const request = { method: "GET", path: "/v1/user/session", headers };
    const rateOf = async (url: string) =>
      (await load({ url, request, connections: 32, seconds })).perSecond;
    const [withIt, without]: [number[], number[]] = [[], []];
    for (const { url } of [counting, plain]) await rateOf(url);
    for (let round = 0; round < rounds; round += 1) {
      withIt.push(await rateOf(counting.url));
      without.push(await rateOf(plain.url));
    }
    const difference = 1 - median(withIt) / median(without);
    const noise = Math.max(spreadOf(withIt), spreadOf(without));
    const response = `${grouped(median(withIt))} beside ${grouped(median(without))}: ${(100 * difference).toFixed(1)} %`;
    note(
      "requests/s with and without recording",
      response,
      `within the noise of ${(100 * noise).toFixed(1)} %`,
      difference <= noise,
    );
  } finally {
    await Promise.all([counting.stop(), plain.stop()]);
  }
}
