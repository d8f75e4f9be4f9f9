import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { setPriority } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { openSmtp } from "@/lib/features/mail/testing/smtp-server";
import { maxADayOfTenant } from "@/lib/features/mail/worker";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";
import { type AttackName, attack, attacks, openSandbox } from "./hostile-attacks";
import {
  home,
  look,
  makeKeys,
  p99Of,
  type Seen,
  share,
  statusOf,
  type Watched,
} from "./hostile-look";
import { enter, seed, type World } from "./seed";

/** Strangers may raise the p99 of a tenant's own requests to this many times its value without an attack. */
const goal = 3;
const seconds = Number(process.env.BENCH_SECONDS) || 20;
const togetherSeconds = Number(process.env.BENCH_TOGETHER_SECONDS) || 300;
const ownFailures = 20;
/** The number of rounds of each stream. */
const rounds = 4;

interface Order extends Pick<Case, "strangers" | "names"> {
  url: string;
  victim: { tenant: string; site: string };
}

/**
 * Attacks from a separate process, so that it takes no time from the measurement. Resolves once its sandboxes exist; the returned
 * function ends the process and returns the statuses of its requests.
 */
async function startAttack(order: Order): Promise<() => Promise<Record<string, number>>> {
  const child = fork(process.argv[1] ?? "", ["attack", JSON.stringify(order)]);
  const ended = once(child, "exit");
  const isReady = await Promise.race([
    once(child, "message").then(() => true),
    ended.then(() => false),
  ]);
  if (!isReady) throw new Error("The attack has ended before it began.");
  return async () => {
    child.send("stop");
    const [statuses] = await once(child, "message");
    child.kill();
    await ended;
    return statuses;
  };
}

/** The attacking process, which runs until it gets a signal. */
export async function runAttack(text: string): Promise<void> {
  const { strangers, names, ...order }: Order = JSON.parse(text);
  // At low priority, because a real attacker would take no CPU time from the product's machine.
  setPriority(10);
  const statuses: Record<string, number> = {};
  process.once("message", () => process.send?.(statuses));
  const opened = Array.from({ length: strangers }, (_, n) => {
    const mark = Math.floor(Math.random() * 60_000) + n;
    const address = `198.18.${mark >> 8}.${mark & 255}`;
    return openSandbox({
      ...order,
      address,
      statuses,
      tenant: `stranger-${mark}-${Date.now()}`,
    });
  });
  const all = await Promise.all(opened);
  process.send?.("ready");
  await Promise.all(all.map((one) => attack(one, names)));
}

/** The number of the administrator's failures that are still in the log. */
async function failuresLeft(url: string, folder: string): Promise<number> {
  // The first session has ended, because the number of sessions of a person is limited.
  const { tenant, sessionId } = await enter(url, folder);
  const headers = { ...home, "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
  const path = "/v1/requests?outcome=failed&operation=GET+%2Fv1%2Fuser%2F%7Bid%7D&limit=200";
  // A busy machine returns 503 for a while, which is no result about the rows.
  let response = await fetch(`${url}${path}`, { headers });
  for (; response.status === 503; response = await fetch(`${url}${path}`, { headers }))
    await pause(1000);
  if (response.status !== 200) throw new Error(`The log answers ${response.status}.`);
  const rows: { caller?: unknown }[] = await response.json();
  return rows.filter(({ caller }) => caller !== undefined).length;
}

async function fail(url: string, { tenant, sessionId }: World): Promise<void> {
  const headers = { ...home, "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
  for (let n = 0; n < ownFailures; n += 1) await statusOf(`${url}/v1/user/user_none${n}`, headers);
}

interface Case {
  names: AttackName[];
  strangers: number;
  seconds: number;
}

/** Measures alternately with and without an attack, so that other load affects both. Strangers start each round with unused limits. */
async function measure(watched: Watched, one: Case): Promise<boolean> {
  const { url, world } = watched;
  const { tenant, site } = world;
  const quiet: number[] = [];
  const turns: Seen[] = [];
  const statuses: Record<string, number> = {};
  for (let turn = 0; turn < rounds; turn += 1) {
    quiet.push(...(await look(watched, Math.min(20, one.seconds) / rounds)).lists);
    const stop = await startAttack({ ...one, url, victim: { tenant, site } });
    turns.push(await look(watched, one.seconds / rounds));
    for (const [status, count] of Object.entries(await stop()))
      statuses[status] = (statuses[status] ?? 0) + count;
    await pause(1000);
  }
  const [p99Quiet, p99] = [p99Of(quiet), p99Of(turns.flatMap(({ lists }) => lists))];
  const ratio = p99 / p99Quiet;
  const shares = turns.map(({ lists }) => (p99Of(lists) / p99Quiet).toFixed(1));
  const failed = turns.reduce((sum, seen) => sum + seen.failed, 0);
  const isWithin = ratio <= goal && turns.every(({ isEachIn }) => isEachIn) && failed === 0;
  const name = one.names.length === 1 ? one.names[0] : "all of them, two sandboxes";
  const signIns = `shoppers ${share(turns.flatMap((seen) => seen.shoppers))}, administrators ${share(turns.flatMap((seen) => seen.administrators))}`;
  process.stdout.write(
    `${String(name).padEnd(30)} p99 ${p99Quiet.toFixed(0)} -> ${p99.toFixed(0)} ms, ${ratio.toFixed(1)} times (turns ${shares.join(" ")}); ${signIns}; lists not answered ${failed}; its requests ${JSON.stringify(statuses)}${isWithin ? "" : "  beyond the goal"}\n`,
  );
  return isWithin;
}

const chosen = process.env.BENCH_STREAMS?.split(",");
const names = (Object.keys(attacks) as AttackName[]).filter(
  (name) => chosen?.includes(name) ?? true,
);

async function runAll({ url }: Product, folder: string): Promise<boolean> {
  const world = await enter(url, folder);
  const watched = { url, world, apiKeys: await makeKeys(url, world) };
  await look(watched, 5);
  await fail(url, world);
  let isWithin = true;
  for (const name of names) {
    const one = { names: [name], strangers: 1, seconds };
    isWithin = (await measure(watched, one)) && isWithin;
  }
  const together = { names, strangers: 2, seconds: togetherSeconds };
  isWithin = (await measure(watched, together)) && isWithin;
  const lost = ownFailures - (await failuresLeft(url, folder));
  process.stdout.write(`rows of the administrator's log lost: ${lost}\n`);
  return isWithin && lost === 0;
}

/** Measures how streams of requests by strangers within the default limits affect another tenant. */
export async function runStreams(workers: number): Promise<boolean> {
  const folder = makeStoreFolder();
  const smtp = await openSmtp();
  await seed(folder, 200, 0);
  const product = await startProduct(folder, {
    ...{ WORKERS: String(workers), TRUSTED_PROXIES: "127.0.0.1/32", SIGN_UP: "on" },
    SMTP_URL: smtp.url,
  });
  process.stdout.write(`\nStreams of strangers, ${workers} process(es); goal: ${goal} times\n`);
  try {
    const isWithin = await runAll(product, folder);
    // In each round one sandbox sent mails, or two together.
    const strangersMailing = names.includes("mails") ? 3 * rounds : 0;
    const beyond = Math.max(0, smtp.received.length - strangersMailing * maxADayOfTenant.sandbox);
    process.stdout.write(`mails ${smtp.received.length}, beyond the caps ${beyond}\n`);
    return isWithin && beyond === 0;
  } finally {
    await product.stop();
    await smtp.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
