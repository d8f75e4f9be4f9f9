import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { firstBrokenEntry } from "@/bench/audit-chain";
import { cases } from "@/bench/cases";
import { enter, seed, type World } from "@/bench/seed";
import { startFaultyProxy } from "@/lib/database/testing/faulty-proxy";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";
import { type Asking, ask, type Kind, quantile, type Told } from "./asking";
import { countRecords, makeClock } from "./clock";
import { type Fault, faults, type Scene } from "./faults";
import { makeSmallDisk, startServer } from "./server";

const asked = [
  "list-users",
  "current-session",
  "own-profile",
  "get-preview",
  "put-preview",
  "create-api-key",
];
const quietMilliseconds = 1500;
const healedMilliseconds = 3000;

function kindsOf(world: World): Kind[] {
  const kinds = cases
    .filter(({ name }) => asked.includes(name))
    .map(({ name, request }): Kind => {
      const kind = { name, request: request(world), isGood: (status: number) => status < 300 };
      return name === "create-api-key"
        ? { ...kind, left: (answer) => String(answer.apiKeyId) }
        : kind;
    });
  const health = (path: string): Kind => ({
    name: path.slice(1),
    request: { method: "GET", path, headers: {} },
    isGood: (status) => status === 200,
  });
  return [...kinds, health("/readyz"), health("/healthz")];
}

interface Round {
  acknowledged: number;
  lost: number;
  wrong: string[];
  /** Milliseconds from the end of the fault to the first good response, by kind. */
  back: Map<string, number>;
  quiet: Told[];
  during: Told[];
}

async function storedKeys(scene: Scene): Promise<Set<string>> {
  const rows = await scene.server.run("select api_key_id as id from api_keys");
  return new Set(rows.map(({ id }) => String(id)));
}

async function runRound(
  scene: Scene,
  product: Product,
  kinds: Kind[],
  fault: Fault,
): Promise<Round> {
  const asking: Asking = ask(product.url, kinds, 2);
  await pause(quietMilliseconds);
  const [startedAt, from] = [new Date(), performance.now()];
  const recordsBefore = await countRecords(scene.server, startedAt);
  await fault.inflict(scene);
  const healed = performance.now();
  const isBack = () =>
    kinds.every(({ name }) =>
      asking.response.some((one) => one.kind === name && one.isGood && one.endedAt > healed),
    );
  for (let waited = 0; waited < 60_000 && (waited < healedMilliseconds || !isBack()); waited += 20)
    await pause(20);
  await asking.stop();
  const back = new Map<string, number>();
  for (const { name } of kinds) {
    const good = asking.response.filter(
      (one) => one.kind === name && one.isGood && one.endedAt > healed,
    );
    back.set(name, Math.min(...good.map(({ endedAt }) => endedAt - healed)));
  }
  const stored = await storedKeys(scene);
  const acknowledged = [...(asking.acknowledged.get("create-api-key") ?? [])];
  const recordsAfter = await countRecords(scene.server, startedAt);
  const lostRecords = recordsBefore.filter((count, at) => (recordsAfter[at] ?? 0) < count).length;
  return {
    acknowledged: acknowledged.length,
    lost: lostRecords + acknowledged.filter((id) => !stored.has(id)).length,
    wrong: asking.response.flatMap(({ kind, wrong }) =>
      wrong === undefined || fault.expected?.test(wrong) ? [] : [`${kind}: ${wrong}`],
    ),
    back,
    quiet: asking.response.filter(({ endedAt }) => endedAt < from),
    during: asking.response.filter(({ begunAt, endedAt }) => endedAt > from && begunAt < healed),
  };
}

function report(fault: Fault, kinds: Kind[], rounds: Round[]): boolean {
  const sum = (of: (round: Round) => number) =>
    rounds.reduce((total, round) => total + of(round), 0);
  const back = Math.max(...rounds.flatMap((round) => [...round.back.values()]));
  const wrong = rounds.flatMap((round) => round.wrong);
  const took = (response: Told[]) => response.map(({ begunAt, endedAt }) => endedAt - begunAt);
  process.stdout.write(
    `${fault.name}: ${rounds.length} rounds, ${sum((round) => round.acknowledged)} acknowledged, ${sum(({ lost }) => lost)} lost, ` +
      `${wrong.length} wrong, back after ${back.toFixed(0)} ms at the latest\n`,
  );
  for (const text of new Set(wrong.slice(0, 5))) process.stdout.write(`  wrong: ${text}\n`);
  for (const { name } of kinds) {
    const of = (response: Told[]) => took(response.filter(({ kind }) => kind === name));
    const quiet = of(rounds.flatMap((round) => round.quiet));
    const during = of(rounds.flatMap((round) => round.during));
    const good = rounds
      .flatMap((round) => round.during)
      .filter((one) => one.kind === name && one.isGood).length;
    const latest = Math.max(
      ...rounds.map((round) => round.back.get(name) ?? Number.POSITIVE_INFINITY),
    );
    process.stdout.write(
      `  ${name.padEnd(18)} quiet p50 ${quantile(quiet, 0.5).toFixed(1)} p99 ${quantile(quiet, 0.99).toFixed(0)} ms; during: ` +
        `${during.length} answers, ${good} good, p50 ${quantile(during, 0.5).toFixed(1)} p99 ${quantile(during, 0.99).toFixed(0)} ` +
        `max ${Math.max(...during).toFixed(0)} ms; back ${latest.toFixed(0)} ms\n`,
    );
  }
  return sum(({ lost }) => lost) === 0 && wrong.length === 0 && back <= 2000;
}

/** The duration of a shutdown that is requested during the fault. */
async function stopDuring(scene: Scene, product: Product, fault: Fault): Promise<void> {
  const inflicted = fault.inflict(scene);
  await pause(1000);
  const startedAt = performance.now();
  const code = await product.stop();
  process.stdout.write(
    `  asked to stop meanwhile: exit ${code} after ${(performance.now() - startedAt).toFixed(0)} ms\n`,
  );
  await inflicted;
}

function chosen(): { picked: Fault[]; rounds: number } {
  const given = process.argv.slice(2);
  const at = given.indexOf("--rounds");
  const [, rounds = "3"] = at === -1 ? [] : given.splice(at, 2);
  const unknown = given.filter((name) => !faults.some((fault) => fault.name === name));
  if (unknown.length > 0)
    throw new Error(
      `There is no fault ${unknown.join(", ")}. Faults: ${faults.map(({ name }) => name).join(", ")}`,
    );
  const picked = given.length === 0 ? faults : faults.filter(({ name }) => given.includes(name));
  return { picked, rounds: Number(rounds) };
}

async function run(folder: string): Promise<boolean> {
  const { picked, rounds } = chosen();
  const disk = join(folder, "disk");
  mkdirSync(disk, { mode: 0o711 });
  const unmount = picked.some(({ needsSmallDisk }) => needsSmallDisk)
    ? makeSmallDisk(disk, 400)
    : undefined;
  const server = await startServer(disk);
  const proxy = await startFaultyProxy(server.url);
  const clock = makeClock(folder);
  const settings = {
    ...clock.env,
    DATABASE_URL: proxy.url,
    SECRET_KEY: randomBytes(32).toString("base64"),
    RATE_LIMITS: "off",
  };
  Object.assign(process.env, settings, { DATABASE_URL: server.url, NODE_OPTIONS: "" });
  let isGood = true;
  try {
    await seed(folder, 200);
    for (const fault of picked) {
      if (fault.needsSmallDisk && unmount === undefined) {
        process.stdout.write(
          `${fault.name}: not tried, for a small disk can only be made by root\n`,
        );
        continue;
      }
      isGood =
        (await tryFault({ server, proxy, clock }, { folder, settings, fault, rounds })) && isGood;
    }
    const { broken, entries } = await firstBrokenEntry(folder, "bench");
    process.stdout.write(
      broken === undefined
        ? `audit chain: ${entries} entries verify\n`
        : `audit chain: broken at ${broken}\n`,
    );
    return isGood && broken === undefined;
  } finally {
    await proxy.close();
    await server.stop("SIGINT");
    unmount?.();
  }
}

interface Trial {
  folder: string;
  settings: Record<string, string>;
  fault: Fault;
  rounds: number;
}

async function tryFault(
  { server, proxy, clock }: Omit<Scene, "neighbour">,
  { folder, settings, fault, rounds }: Trial,
): Promise<boolean> {
  const products = [await startProduct(folder, settings)];
  const [product] = products;
  if (product === undefined) return false;
  const kinds = kindsOf(await enter(product.url, folder));
  let started: Promise<Product> | undefined;
  const neighbour = async () => {
    started ??= startProduct(folder, { ...settings, DATABASE_URL: server.url });
    const other = await started;
    if (!products.includes(other)) products.push(other);
    const { request } = kinds.find(({ name }) => name === "create-api-key") ?? {
      request: undefined,
    };
    const write = async () => {
      if (request === undefined) return;
      const body = request.body?.replaceAll("{n}", randomBytes(8).toString("hex")) ?? "";
      const headers = { ...request.headers, "Content-Type": "application/json" };
      await fetch(`${other.url}${request.path}`, { method: request.method, headers, body });
    };
    return { pid: other.process.pid ?? 0, write };
  };
  const scene = { server, proxy, clock, neighbour };
  const done: Round[] = [];
  while (done.length < rounds) done.push(await runRound(scene, product, kinds, fault));
  const isGood = report(fault, kinds, done);
  await stopDuring(scene, product, fault);
  for (const other of products) await other.stop();
  return isGood;
}

const folder = makeStoreFolder();
try {
  process.exitCode = (await run(folder)) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
