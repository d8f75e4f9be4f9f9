import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { answersBetween, isGood, judge, report } from "@/bench/drill/judge";
import { startLoad } from "@/bench/drill/load";
import { drillSettings, makeTenants } from "@/bench/drill/world";
import { projectRoot } from "@/lib/database/data-dir";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";
import { addAndRebalance, isolateTenant, migrateLater } from "./changes";
import { type Drill, killCoordinator, killWorker, type Row } from "./faults";
import { startCitus } from "./nodes";

/*
 * npm run bench -- cluster [tenants] [seconds that a worker is down] [names of steps]: two instances on a Citus cluster of a coordinator
 * and three workers. Under a load on all tenants (12) a worker is killed (for 30 s) while an instance starts, the coordinator is killed,
 * a worker is added and shards are moved, a tenant gets a separate shard group, and the store is migrated. Prints a table, and fails if an
 * acknowledged write is lost or was executed twice, or an audit trail is broken.
 */

const [tenantCount, awaySeconds] = [Number(process.argv[2] ?? 12), Number(process.argv[3] ?? 30)];
const folder = makeStoreFolder();

function distribute(settings: Record<string, string>): void {
  const script = join(projectRoot(), "scripts", "run.mjs");
  const env = { ...process.env, ...settings };
  const { status } = spawnSync(process.execPath, [script, "db-distribute"], {
    cwd: projectRoot(),
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`db:distribute ended with ${status}.`);
}

/** The errors in the server's log; a fault of the cluster must not cause one. */
const errorsOf = ({ output }: Product): string[] =>
  output()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'))
    .map((line) => `  ${line}\n`);

/** Runs the steps one after the other; the table shows a failed step, and the others still run. */
async function runSteps(drill: Drill): Promise<Row[]> {
  const steps = {
    "a worker killed": () => killWorker(drill, awaySeconds * 1000),
    "the coordinator killed": () => killCoordinator(drill, 10_000),
    "a worker added": () => addAndRebalance(drill),
    "a tenant isolated": () => isolateTenant(drill),
    "a migration": () => migrateLater(drill),
  };
  const rows: Row[] = [];
  const chosen = process.argv.slice(4);
  for (const [name, step] of Object.entries(steps)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    process.stdout.write(`${name} ...\n`);
    rows.push(
      ...(await step().catch((error: Error): Row[] => [[name, `failed: ${error.message}`]])),
    );
    await pause(2000);
  }
  return rows;
}

const cluster = await startCitus(join(folder, "citus"), 3);
try {
  const settings = {
    DATABASE_URL: cluster.url,
    SECRET_KEY: randomBytes(32).toString("base64"),
    ...drillSettings,
  };
  distribute(settings);
  let started = 0;
  const startInstance = () => {
    started += 1;
    const own = join(folder, `instance-${started}`);
    mkdirSync(own, { mode: 0o711 });
    return startProduct(own, settings);
  };
  const instances = [await startInstance(), await startInstance()];
  const urls = instances.map(({ url }) => url);
  const tenants = await makeTenants(urls[0] ?? "", tenantCount);
  const { diary, stop } = startLoad(urls, tenants);
  const from = performance.now();
  await pause(10_000);
  const calm = answersBetween(diary, from, performance.now());
  const before: Row = ["before any fault, 10 s", `${calm.good} good, ${calm.bad} failed`];
  const rows = await runSteps({ cluster, instances, tenants, diary, startInstance });
  await stop();
  const verdict = await judge(diary, tenants, { store: cluster.url, url: urls[0] ?? "" });
  process.stdout.write(report([before, ...rows], verdict));
  process.stdout.write(instances.flatMap(errorsOf).slice(0, 10).join(""));
  process.exitCode = isGood({ verdict }) ? 0 : 1;
  for (const instance of instances) await instance.stop();
} finally {
  cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
