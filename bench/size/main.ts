import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { enter, seed } from "@/bench/seed";
import { sealSessions } from "@/lib/access/portal-cookie";
import { projectRoot } from "@/lib/database/data-dir";
import { closeStore, openStore } from "@/lib/database/open";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";
import { cleanStore } from "@/lib/setup/cleaning";
import { grow, type Size } from "./fill";
import { type Cost, costOf, cpuOf } from "./measure";
import { pages, type Question, questionsOf } from "./questions";

/*
 * npm run bench -- size [percent of the whole size ...]: a tenant with 200,000 users, 1,000,000 customers, 1,000,000 entries of the trail and
 * 10,000 revisions of previews, and 5,000 other tenants, at 1, 10 and 100 percent: measures the milliseconds and the CPU
 * time of the service and of the store for each operation, a start, a cleaning and a backup. Fails if a response or a page is wrong, a page
 * takes over a second, or an operation that does not return everything grows tenfold and by more than 20 ms of CPU time.
 */

const whole: Size = {
  users: 200_000,
  customers: 1_000_000,
  entries: 1_000_000,
  revisions: 10_000,
  tenants: 5000,
};
const given = process.argv.slice(2).map(Number);
const shares = given.length > 0 ? given : [1, 10, 100];
const place = { tenant: "bench", site: "eu" };
const folder = makeStoreFolder();
const data = join(folder, "postgres", "cluster");
const settings = { RATE_LIMITS: "off", LOGIN_THROTTLE: "off" };

const sizeAt = (percent: number): Size =>
  Object.fromEntries(
    Object.entries(whole).map(([name, count]) => [name, (count * percent) / 100]),
  ) as unknown as Size;

/** The cost of each operation at each size. */
const costs = new Map<string, { cost: Cost; isWhole: boolean }[]>();

function note(name: string, cost: Cost, isWhole = false): void {
  costs.set(name, [...(costs.get(name) ?? []), { cost, isWhole }]);
  process.stdout.write(`${name}: ${figure(cost)}\n`);
}

/** Measures the cost of work in this process or in another. */
async function timed(name: string, pid: number, work: () => Promise<number>): Promise<void> {
  const [from, before] = [performance.now(), cpuOf(pid, data)];
  const bytes = await work();
  const after = cpuOf(pid, data);
  const milliseconds = performance.now() - from;
  const [product, store] = [after.product - before.product, after.store - before.store];
  note(name, { milliseconds, product, store, bytes, status: 200 }, true);
}

async function backUp(): Promise<number> {
  const file = join(folder, `backup-${Date.now()}`);
  const script = join(projectRoot(), "scripts", "run.mjs");
  const child = spawn(process.execPath, [script, "backup", "--out", file], {
    env: { ...process.env, DATA_DIR: folder, BACKUP_KEY: randomBytes(32).toString("base64") },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`backup ended with ${code}.`);
  const { size } = statSync(file);
  rmSync(file);
  return size;
}

async function measureAt(percent: number): Promise<void> {
  const from = performance.now();
  const product = await startProduct(folder, settings);
  try {
    await measure(product, percent, performance.now() - from);
  } finally {
    await product.stop();
  }
}

async function measure({ url, process: { pid = 0 } }: Product, percent: number, ready: number) {
  note(
    "start until ready",
    { milliseconds: ready, ...cpuOf(pid, data), store: 0, bytes: 0, status: 200 },
    true,
  );
  const target = { url, pid, data };
  const world = await enter(url, folder);
  for (const question of questionsOf(world, sizeAt(percent).customers))
    note(question.name, await costOf(target, question), question.isWhole);
  const sealed = await sealSessions(new Map([[world.tenant, world.sessionId]]), 3600);
  const headers = { Cookie: `next-auth.session-token=${sealed}`, Accept: "text/html" };
  for (const path of pages(place.tenant, place.site)) {
    const question: Question = { name: `page ${path}`, path, headers };
    note(question.name, await costOf(target, question));
  }
  await timed("backup", pid, backUp);
}

const figure = ({ milliseconds, product, store }: Cost) =>
  `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms, ${product.toFixed(1)} + ${store.toFixed(1)}`;

/** Prints all as a table in Markdown; returns the violations. */
function report(): string[] {
  const faults: string[] = [];
  const lines = [`| | ${shares.map((share) => `${share} %`).join(" | ")} | bytes |`];
  lines.push(`|---|${"---|".repeat(shares.length + 1)}`);
  for (const [name, measured] of costs) {
    const [first, last] = [measured[0], measured.at(-1)];
    if (first === undefined || last === undefined) continue;
    const cells = measured.map(({ cost }) => figure(cost));
    lines.push(`| ${name} | ${cells.join(" | ")} | ${last.cost.bytes} |`);
    const wrong = measured.find(({ cost: { status } }) => status >= 300);
    if (wrong) faults.push(`${name}: ${wrong.cost.status}`);
    const [before, after] = [first, last].map(({ cost }) => cost.product + cost.store) as [
      number,
      number,
    ];
    if (!last.isWhole && after > 10 * before && after > before + 20) faults.push(`${name} grows`);
    if (name.startsWith("page ") && last.cost.milliseconds > 1000)
      faults.push(`${name} takes over a second`);
  }
  process.stdout.write(`${lines.join("\n")}\n`);
  return faults;
}

process.env.SECRET_KEY = randomBytes(32).toString("base64");
try {
  await seed(folder, 1, 0);
  let from: Size | undefined;
  for (const share of shares) {
    const began = performance.now();
    const to = sizeAt(share);
    await openStore();
    try {
      await grow(place, { from, to, whole });
      process.stdout.write(
        `${share} %: filled in ${((performance.now() - began) / 1000).toFixed(0)} s\n`,
      );
      await timed("cleaning of the whole store", process.pid, async () => {
        await cleanStore(new Date());
        return 0;
      });
    } finally {
      await closeStore();
    }
    await measureAt(share);
    from = to;
  }
  const faults = report();
  for (const fault of faults) process.stdout.write(`  ${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
