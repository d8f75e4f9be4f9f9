import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { answersBetween, isGood, judge, report } from "@/bench/drill/judge";
import { type Load, startLoad } from "@/bench/drill/load";
import {
  type Answer,
  ask,
  type DrillTenant,
  drillSettings,
  makeTenants,
  withKey,
  withSession,
} from "@/bench/drill/world";
import { startBalancer } from "@/lib/server/testing/balancer";
import { makeStoreFolder, startProduct } from "@/lib/server/testing/product";
import { type Cluster, type Member, startCluster } from "./cluster";

/*
 * npm run bench -- failover [kills] [switch-overs] [cuts]: two instances behind a balancer, on a store of two PostgreSQL servers
 * under Patroni. Under a load it kills the primary (10 times), makes an orderly switch-over (5), and cuts the primary off from
 * etcd (2). Prints a table, and fails if an acknowledged write was lost or executed twice, an audit trail is broken, or writes through an
 * address failed for more than 5 seconds after the takeover.
 */

const kinds = {
  kill: "the primary killed",
  switch: "an orderly switch-over",
  cut: "the primary cut off from etcd",
} as const;
type Kind = keyof typeof kinds;

/** The result of one round, in milliseconds. */
interface Round {
  kind: Kind;
  takenOver: number;
  /** From the takeover until a write and a read had succeeded through each address. */
  back: number;
  bad: string;
}

interface Drill {
  cluster: Cluster;
  urls: string[];
  probe: DrillTenant;
  load: Load;
}

function begin(cluster: Cluster, kind: Kind, primary: Member): Promise<void> | void {
  if (kind === "kill") return cluster.kill(primary);
  if (kind === "cut") return cluster.cut(primary);
  return cluster.switchOver(primary);
}

async function nextPrimary(cluster: Cluster, former: Member): Promise<number> {
  for (const end = performance.now() + 120_000; performance.now() < end; await pause(20)) {
    const found = await cluster.primary(former);
    if (found !== undefined) return performance.now();
  }
  throw new Error("No other server takes over.");
}

/** Repeats the request until it succeeds; returns the time since `moment`. */
async function firstGood(request: () => Promise<Answer>, moment: number): Promise<number> {
  for (const end = moment + 60_000; performance.now() < end; await pause(50))
    if ((await request()).status === 200) return performance.now() - moment;
  throw new Error("An address does not come back.");
}

/** The times since `moment` until a write and a read had succeeded through all addresses, in a tenant without load. */
async function untilBack({ urls, probe }: Drill, moment: number): Promise<number[]> {
  const headers = { ...withSession(probe), "X-Service-Site": probe.site };
  const put = { method: "PUT", path: "/pim/preview/home/configuration", headers, body: {} };
  const list = { method: "GET", path: "/v1/user/list?limit=5", headers: withKey(probe) };
  const slowest = async (request: typeof put | typeof list) =>
    Math.max(...(await Promise.all(urls.map((url) => firstGood(() => ask(url, request), moment)))));
  return Promise.all([slowest(put), slowest(list)]);
}

async function runRound(drill: Drill, kind: Kind): Promise<Round> {
  const { cluster, load } = drill;
  await cluster.untilStandbyIsReady();
  await pause(3000);
  const former = await cluster.primary();
  if (former === undefined) throw new Error("No server accepts writes.");
  const from = performance.now();
  await begin(cluster, kind, former);
  const promoted = await nextPrimary(cluster, former);
  const backs = await untilBack(drill, promoted);
  const { statuses: bad } = answersBetween(load.diary, from, performance.now());
  if (kind === "kill") cluster.start(former);
  if (kind === "cut") cluster.mend(former);
  const round = { kind, takenOver: promoted - from, back: Math.max(...backs), bad };
  const [after, ...each] = [round.takenOver, ...backs].map((ms) => (ms / 1000).toFixed(1));
  process.stdout.write(
    `${kinds[kind]}: taken over after ${after} s, written ${each[0]} s and read ${each[1]} s later; ${bad}\n`,
  );
  return round;
}

const span = (values: readonly number[]) =>
  [Math.min(...values), Math.max(...values)].map((ms) => (ms / 1000).toFixed(1)).join(" to ");

function rowOf(kind: Kind, all: readonly Round[]): readonly [string, string] {
  const rounds = all.filter((round) => round.kind === kind);
  const times = `taken over after ${span(rounds.map(({ takenOver }) => takenOver))} s, each address wrote and read ${span(rounds.map(({ back }) => back))} s later`;
  return [`${kinds[kind]}, ${rounds.length} times`, times];
}

async function drill(folder: string, cluster: Cluster, counts: Record<Kind, number>) {
  const settings = {
    DATABASE_URL: cluster.url,
    SECRET_KEY: randomBytes(32).toString("base64"),
    ...drillSettings,
  };
  const start = (name: string) => {
    const own = join(folder, name);
    mkdirSync(own, { mode: 0o711 });
    return startProduct(own, settings);
  };
  const nodes = [await start("first"), await start("second")];
  const balancer = await startBalancer(nodes.map(({ url }) => url));
  const urls = [...nodes, balancer].map(({ url }) => url);
  const [probe, ...tenants] = await makeTenants(urls[0] ?? "", 5);
  if (probe === undefined) throw new Error("There is no tenant.");
  const load = startLoad(urls, tenants);
  const rounds: Round[] = [];
  const order = Object.entries(counts).flatMap(([kind, count]) =>
    Array.from({ length: count }, () => kind as Kind),
  );
  try {
    for (const kind of order) rounds.push(await runRound({ cluster, urls, probe, load }, kind));
    await cluster.untilStandbyIsReady();
  } finally {
    await load.stop();
  }
  const primary = await cluster.primary();
  const verdict = await judge(load.diary, tenants, {
    store: cluster.urlOf(primary),
    url: urls[0] ?? "",
  });
  const run = (Object.keys(kinds) as Kind[]).filter((kind) => counts[kind] > 0);
  process.stdout.write(
    report(
      run.map((kind) => rowOf(kind, rounds)),
      verdict,
    ),
  );
  await balancer.close();
  for (const node of nodes) await node.stop();
  return isGood({ verdict }) && rounds.every(({ back }) => back <= 5000);
}

const [kill = 10, switches = 5, cut = 2] = process.argv.slice(2).map(Number);
const folder = makeStoreFolder();
const cluster = await startCluster(folder);
try {
  process.exitCode = (await drill(folder, cluster, { kill, switch: switches, cut })) ? 0 : 1;
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
