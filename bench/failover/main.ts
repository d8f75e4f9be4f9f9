import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { answersBetween, backAfter, isGood, judge, report } from "@/bench/drill/judge";
import { type Load, startLoad } from "@/bench/drill/load";
import { type DrillTenant, drillSettings, makeTenants } from "@/bench/drill/world";
import { startBalancer } from "@/lib/server/testing/balancer";
import { makeStoreFolder, startProduct } from "@/lib/server/testing/product";
import { type Cluster, type Member, startCluster } from "./cluster";

/*
 * npm run bench -- failover [kills] [switch-overs] [cuts]: two instances, and a balancer before them, on a store of two PostgreSQL servers
 * under Patroni. Under a load the primary is killed so often (10), the other one takes over in an orderly way (5), and the primary loses its
 * way to etcd (2). Prints a table, and fails where an acknowledged write was lost or executed twice, an audit trail is broken, or an
 * address took more than 5 seconds to write again after the other server had taken over.
 */

const kinds = {
  kill: "the primary killed",
  switch: "an orderly switch-over",
  cut: "the primary cut off from etcd",
} as const;
type Kind = keyof typeof kinds;

/** What one round came to, in milliseconds. */
interface Round {
  kind: Kind;
  takenOver: number;
  /** From then on until each address had written and read. */
  back: number;
  bad: string;
}

interface Drill {
  cluster: Cluster;
  urls: string[];
  tenants: DrillTenant[];
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

const wanted = ["create", "list"] as const;

/** How long after a moment each address had created a key, and read a list; of each kind the last address. */
async function untilBack({ load, urls, tenants }: Drill, moment: number): Promise<number[]> {
  const names = tenants.map(({ tenant }) => tenant);
  const backOf = (url: string, kind: (typeof wanted)[number]) => {
    const asked = load.diary.asked.filter((one) => one.url === url && one.kind === kind);
    return Math.min(...names.map((name) => backAfter({ ...load.diary, asked }, moment, [name])));
  };
  const back = () => wanted.map((kind) => Math.max(...urls.map((url) => backOf(url, kind))));
  for (const end = performance.now() + 60_000; !back().every(Number.isFinite); await pause(100))
    if (performance.now() > end) throw new Error("An address does not come back.");
  return back();
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
  const times = wanted.map((name, n) => `${name} ${each[n]} s later`).join(", ");
  process.stdout.write(`${kinds[kind]}: taken over after ${after} s, ${times}; ${bad}\n`);
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
  const tenants = await makeTenants(urls[0] ?? "", 4);
  const load = startLoad(urls, tenants);
  const rounds: Round[] = [];
  const order = Object.entries(counts).flatMap(([kind, count]) =>
    Array.from({ length: count }, () => kind as Kind),
  );
  try {
    for (const kind of order) rounds.push(await runRound({ cluster, urls, tenants, load }, kind));
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
