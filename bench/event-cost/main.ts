import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { LoadRequest } from "@/bench/load";
import { grouped, median, note, printTable } from "@/bench/metrics/report";
import { load } from "@/bench/processes";
import { projectRoot } from "@/lib/database/data-dir";
import { closeStore, db, openStore } from "@/lib/database/open";
import { tenantQuotas } from "@/lib/database/schema/schema";
import { makeStoreFolder } from "@/lib/server/testing/product";
import { makeSignedInUser, makeTenant } from "@/lib/setup/testing/factories";

/*
 * npm run bench -- event-cost [events|sample|traces ...]: the cost of events, of the request log's sampling and of traces, each measured
 * alternately on one store.
 *
 *   a management write   in a tenant with a webhook, and in one without webhooks. An event is the audit entry that the write creates
 *                        in any case: no further statement writes it, so the measured cost is that of reading it
 *   a read               by a process that samples requests, or traces one in a hundred, and by one that does not
 */

const seconds = Number(process.env.BENCH_SECONDS) || 3;
const rounds = Number(process.env.BENCH_ROUNDS) || 9;

const chosen = process.argv.slice(2);
const isChosen = (part: string) => chosen.length === 0 || chosen.includes(part);

/** Accepts all traces. */
async function openCollector() {
  const collector = createServer((req, res) => req.resume().on("end", () => res.end("{}")));
  await once(collector.listen(0, "127.0.0.1"), "listening");
  const { port } = collector.address() as AddressInfo;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
  return { collector, env: { ...env, OTEL_TRACES_SAMPLER_ARG: "0.01" } };
}

async function start(dataDir: string, flags: string[], settings: Record<string, string> = {}) {
  const script = join(projectRoot(), ".server", "bench", "event-cost", "server.mjs");
  const own = { DATA_DIR: dataDir, RATE_LIMITS: "off", NODE_ENV: "production" as const };
  const child = spawn(process.execPath, ["--max-semi-space-size=32", script, ...flags], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...own, ...settings },
  });
  const [line] = await once(child.stdout, "data");
  const cpu = async () => {
    child.stdin.write("\n");
    for (;;) {
      // In addition to its log.
      const [text] = await once(child.stdout, "data");
      const microseconds = /^(\d+)$/m.exec(String(text))?.[1];
      if (microseconds !== undefined) return Number(microseconds);
    }
  };
  const stop = async () => {
    child.stdin.end();
    await once(child, "exit");
  };
  return { url: String(line).trim(), cpu, stop };
}

/** Headers of an administrator of a new tenant that may have any number of keys. */
async function makeAdministrator(): Promise<Record<string, string>> {
  const tenant = await makeTenant();
  const max = 1_000_000_000;
  const quota = { tenantId: tenant, quota: "user-keys", max, countedAt: new Date(0) };
  await db().insert(tenantQuotas).values(quota);
  return (await makeSignedInUser(tenant, { roleIds: ["tenant.admin"] })).headers;
}

const read = (headers: Record<string, string>): LoadRequest => ({
  method: "GET",
  path: "/v1/user/session",
  headers,
});

const write = (headers: Record<string, string>): LoadRequest => ({
  method: "POST",
  path: "/v1/user/profile/api-keys",
  headers,
  body: JSON.stringify({
    name: "load {n}",
    validTo: new Date(Date.now() + 86_400_000).toISOString(),
  }),
});

async function addWebhook(url: string, headers: Record<string, string>): Promise<void> {
  const body = JSON.stringify({ url: "https://shop.example/hook", types: ["view.deleted"] });
  const sent = { ...headers, "Content-Type": "application/json" };
  const response = await fetch(`${url}/v1/webhooks`, { method: "POST", headers: sent, body });
  if (response.status !== 201) throw new Error(await response.text());
}

interface Side {
  server: Awaited<ReturnType<typeof start>>;
  request: LoadRequest;
}

/** The spread of the values: half the interquartile range, as a share of the median. */
function spreadOf(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
  return (at(0.75) - at(0.25)) / 2 / median(values);
}

/**
 * Sends requests to both sides alternately, starting with the first one in every second round; records the CPU time per request of the
 * first relative to the second, which other load on the machine affects less than the rate.
 */
async function compare(
  what: string,
  sides: [Side, Side],
  { connections, most }: { connections: number; most: number },
) {
  const costs: [number[], number[]] = [[], []];
  const rates: [number[], number[]] = [[], []];
  const measure = async (place: 0 | 1) => {
    const { server, request } = sides[place];
    const before = await server.cpu();
    const result = await load({ url: server.url, request, connections, seconds });
    if (result.firstFailure !== undefined) throw new Error(result.firstFailure);
    costs[place].push(((await server.cpu()) - before) / result.requests);
    rates[place].push(result.perSecond);
  };
  for (const { server, request } of sides)
    await load({ url: server.url, request, connections, seconds: 2 });
  for (let round = 0; round < rounds; round += 1) {
    const order: (0 | 1)[] = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const place of order) await measure(place);
  }
  const [withIt, without] = costs;
  const cost = median(withIt) / median(without) - 1;
  const noise = Math.max(spreadOf(withIt), spreadOf(without));
  const [some, others] = rates.map((rate) => grouped(median(rate)));
  const measured = `${grouped(median(withIt))} beside ${grouped(median(without))} us: ${(100 * cost).toFixed(1)} %, +-${(100 * noise).toFixed(1)} % (${some} beside ${others} a second)`;
  note(what, measured, `at most ${100 * most} %`, cost <= most);
}

async function run(dataDir: string): Promise<void> {
  process.env.DATA_DIR = dataDir;
  await openStore();
  const [watched, plain] = [await makeAdministrator(), await makeAdministrator()];
  await db().$client.query("vacuum analyze");
  await closeStore();
  const { collector, env } = await openCollector();
  const [delivering, plainServer] = [await start(dataDir, ["--deliver"]), await start(dataDir, [])];
  const [sampling, tracing] = [
    await start(dataDir, ["--sample"]),
    await start(dataDir, ["--trace"], env),
  ];
  const side = (server: Side["server"], request: LoadRequest): Side => ({ server, request });
  const without = side(plainServer, read(plain));
  try {
    await addWebhook(delivering.url, watched);
    if (isChosen("events"))
      await compare(
        "a management write, with and without a webhook",
        [side(delivering, write(watched)), side(delivering, write(plain))],
        { connections: 1, most: 0.05 },
      );
    for (const connections of [1, 32]) {
      const order = { connections, most: 0.02 };
      if (isChosen("sample"))
        await compare(
          `a read, sampled and not, ${connections} connections`,
          [side(sampling, read(plain)), without],
          order,
        );
      if (isChosen("traces"))
        await compare(
          `a read, traced at 1 % and not, ${connections} connections`,
          [side(tracing, read(plain)), without],
          order,
        );
    }
  } finally {
    await Promise.all([delivering, sampling, tracing, plainServer].map(({ stop }) => stop()));
    collector.close();
  }
}

const dataDir = makeStoreFolder();
try {
  await run(dataDir);
  printTable();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
