import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ask, drillSettings } from "@/bench/drill/world";
import { projectRoot } from "@/lib/database/data-dir";
import { databaseUrl, dropDatabase, onServer } from "@/lib/database/testing/databases";
import { joinNodes } from "@/lib/database/testing/sharded-template";
import { makeStoreFolder, startProduct } from "@/lib/server/testing/product";
import { startCitus } from "./nodes";

/*
 * npm run bench -- distribute [kills] [stores]: kills `npm run db:distribute` by SIGKILL at random times, this often (20) on empty
 * stores and as often on filled ones, two of each. Afterwards it runs to completion. Fails unless every table with a tenant is
 * distributed, no row is lost or left on the coordinator, no shard is without its table, and the service starts and serves.
 */

const [kills, stores] = [Number(process.argv[2] ?? 20), Number(process.argv[3] ?? 2)];
const folder = makeStoreFolder();
const say = (text: string) => void process.stdout.write(`${text}\n`);

/** Runs a command of the product; returns its exit code, null if it is killed. */
async function command(given: string[], env: Record<string, string>, killedAfter?: number) {
  const script = join(projectRoot(), "scripts", "run.mjs");
  const child = spawn(process.execPath, [script, ...given], {
    cwd: projectRoot(),
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "exit");
  if (killedAfter !== undefined) {
    await Promise.race([ended, pause(killedAfter)]);
    child.kill("SIGKILL");
  }
  const [status] = await ended;
  return status as number | null;
}

/** The number of rows in each table with a tenant. */
async function countRows(url: string): Promise<Map<string, number>> {
  const tables = await onServer<{ name: string }>(
    url,
    `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attname = 'tenant_id' and not a.attisdropped order by 1`,
  );
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const [row] = await onServer<{ n: number }>(url, `select count(*)::int as n from "${name}"`);
    counts.set(name, row?.n ?? -1);
  }
  return counts;
}

/** The errors in the store after the command has ended. */
async function faultsOf(url: string, before: Map<string, number>): Promise<string[]> {
  const distributed = await onServer<{ name: string; local: number }>(
    url,
    `select c.relname::text as name,
       (select coalesce(sum(pg_relation_size(t.relid)), 0)::int from pg_partition_tree(c.oid) t where t.isleaf) as local
     from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid where not c.relispartition and p.partmethod = 'h'`,
  );
  const names = new Set(distributed.map(({ name }) => name));
  const after = await countRows(url);
  const orphans = await onServer<{ n: number }>(
    url,
    `select sum(result::int)::int as n from run_command_on_workers($$
       select count(*) from pg_class where relkind = 'r' and relname ~ '_[0-9]{6,}$'
         and relnamespace = 'public'::regnamespace and not exists (
           select from pg_dist_shard s where pg_class.relname = substring(s.logicalrelid::regclass::text from '[^.]+$') || '_' || s.shardid)$$)`,
  );
  return [
    ...[...after.keys()].filter((name) => !names.has(name)).map((name) => `${name} is local`),
    ...distributed.filter(({ local }) => local > 0).map(({ name }) => `${name} has local rows`),
    ...[...before].filter(([name, n]) => after.get(name) !== n).map(([name]) => `rows of ${name}`),
    ...(orphans[0]?.n ? [`${orphans[0].n} shards of no table`] : []),
  ];
}

/** A sign-up on the distributed store: a start, a write and a read. */
async function serves(folder: string, env: Record<string, string>): Promise<string[]> {
  const product = await startProduct(folder, { ...env, ...drillSettings });
  const mark = `after-${randomBytes(3).toString("hex")}`;
  const password = randomBytes(18).toString("base64url");
  const person = { login: "admin", name: "Drill", emailAddress: "d@example.com" };
  const body = { tenant: mark, site: "main", ...person, password };
  const { status } = await ask(product.url, { method: "POST", path: "/v1/signup", body });
  await product.stop();
  return status === 201 ? [] : [`a sign-up: ${status}`];
}

interface Store {
  server: string;
  name: string;
  isFilled: boolean;
  killed: number;
  longestMs: number;
}

async function distributeAndKill({ server, name, isFilled, killed, longestMs }: Store) {
  const url = databaseUrl(server, name);
  await joinNodes(server, name);
  const secret = randomBytes(32).toString("base64");
  const own = makeStoreFolder();
  const env = { DATABASE_URL: url, SECRET_KEY: secret, DATA_DIR: own };
  try {
    // The fixtures also migrate the store; an empty one is migrated by the command that is killed.
    const fixtures = ["fixtures", "--out", join(own, "fixtures.json")];
    if (isFilled && (await command(fixtures, env)) !== 0) throw new Error("No fixtures.");
    const before = isFilled ? await countRows(url) : new Map<string, number>();
    let done = 0;
    // Each run continues where the previous one was killed: short enough that most of them find work left.
    const longest = (2 * longestMs) / killed;
    for (let kill = 0; kill < killed; kill += 1)
      if ((await command(["db-distribute"], env, Math.random() * longest)) === 0) done += 1;
    const began = performance.now();
    const status = await command(["db-distribute"], env);
    const took = performance.now() - began;
    const faults = status === 0 ? await faultsOf(url, before) : [`it ended with ${status}`];
    faults.push(...(status === 0 ? await serves(own, env) : []));
    return { faults, done, took };
  } finally {
    await dropDatabase(server, name);
    rmSync(own, { recursive: true, force: true });
  }
}

const cluster = await startCitus(join(folder, "citus"), 3);
try {
  let failed = 0;
  for (const isFilled of [false, true]) {
    const kind = isFilled ? "filled" : "empty";
    // A run without a kill measures the duration, so that kills are spread over all of it.
    let longestMs = 60_000;
    for (let store = 0; store <= stores; store += 1) {
      const killed = store === 0 ? 0 : Math.ceil(kills / stores);
      const name = `interrupted_${kind}_${store}`;
      const given = { server: cluster.url, name, isFilled, killed, longestMs };
      const { faults, done, took } = await distributeAndKill(given);
      if (store === 0) longestMs = took;
      failed += faults.length;
      const seconds = (took / 1000).toFixed(1);
      say(
        `${kind} store, killed ${killed} times (${done} had ended before): ${faults.length === 0 ? "whole" : faults.join("; ")}; the last run took ${seconds} s`,
      );
    }
  }
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
