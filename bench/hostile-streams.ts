import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { openSmtp } from "@/lib/features/mail/testing/smtp-server";
import { maxADayOfTenant } from "@/lib/features/mail/worker";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";
import { type AttackName, attack, attacks, openSandbox } from "./hostile-attacks";
import { enter, seed, type World } from "./seed";

/** What a tenant's own people may notice of strangers: this many times the quiet p99. */
const goal = 3;
const seconds = Number(process.env.BENCH_SECONDS) || 20;
const togetherSeconds = Number(process.env.BENCH_TOGETHER_SECONDS) || 300;
const ownFailures = 20;
const home = { "X-Forwarded-For": "192.0.2.10" };

interface Seen {
  p99: number;
  failed: number;
  shoppers: string;
  administrators: string;
  isEachIn: boolean;
}

const byKey = ({ tenant, apiKey }: World) => ({
  ...home,
  "X-Service-Tenant": tenant,
  "X-Service-Api-Key": apiKey,
});

async function statusOf(url: string, headers: Record<string, string>, body?: unknown) {
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const typed = { "Content-Type": "application/json", ...headers };
  const response = await fetch(url, { ...sent, headers: typed }).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status ?? 0;
}

/** Asks at a fixed rate, whether or not the one before was answered. */
async function every<T>(ms: number, forMs: number, ask: () => Promise<T>): Promise<T[]> {
  const asked: Promise<T>[] = [];
  const until = performance.now() + forMs;
  for (let next = performance.now(); next < until; next += ms) {
    await pause(Math.max(0, next - performance.now()));
    asked.push(ask());
  }
  return Promise.all(asked);
}

/** What another tenant sees: ten lists a second, a shopper who signs in each second, an administrator every four. */
async function look(url: string, world: World, forSeconds: number): Promise<Seen> {
  const { tenant, login, password, site, shopper } = world;
  const headers = { ...home, "X-Service-Tenant": tenant, "X-Service-Site": site };
  const asShopper = { ...headers, Authorization: `Bearer ${shopper.anonymousToken}` };
  const shopperLogin = { login: shopper.login, password: shopper.password };
  const ms = forSeconds * 1000;
  const [lists, shoppers, administrators] = await Promise.all([
    every(105, ms, async () => {
      const since = performance.now();
      const status = await statusOf(`${url}/v1/user/list?limit=20`, byKey(world));
      return { ms: performance.now() - since, status };
    }),
    every(1000, ms, () => statusOf(`${url}/v1/customer/login/token`, asShopper, shopperLogin)),
    every(4000, ms, () =>
      statusOf(`${url}/v1/user/session-login`, headers, { login, tenant, password }),
    ),
  ]);
  const sorted = lists.map((one) => one.ms).toSorted((one, other) => one - other);
  const isIn = (status: number) => status === 200;
  const share = (all: number[]) => `${all.filter(isIn).length} of ${all.length}`;
  return {
    p99: sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0,
    failed: lists.filter(({ status }) => status !== 200).length,
    shoppers: share(shoppers),
    administrators: share(administrators),
    isEachIn: [...shoppers, ...administrators].every(isIn),
  };
}

interface Order {
  url: string;
  strangers: number;
  names: AttackName[];
  victim: { tenant: string; site: string };
}

/**
 * A separate process attacks, so that it takes no time from the measurement. Resolves once its sandboxes are there; the result ends
 * it, and says how its requests were answered.
 */
async function startAttack(order: Order): Promise<() => Promise<string>> {
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
    return JSON.stringify(statuses);
  };
}

/** The attacking process: ends by its signal. */
export async function runAttack(text: string): Promise<void> {
  const { strangers, names, ...order }: Order = JSON.parse(text);
  const { signal } = new AbortController();
  const statuses: Record<string, number> = {};
  process.once("message", () => process.send?.(statuses));
  const opened = Array.from({ length: strangers }, (_, n) => {
    const mark = Math.floor(Math.random() * 60_000) + n;
    const address = `198.18.${mark >> 8}.${mark & 255}`;
    return openSandbox({
      ...order,
      address,
      signal,
      statuses,
      tenant: `stranger-${mark}-${Date.now()}`,
    });
  });
  const all = await Promise.all(opened);
  process.send?.("ready");
  await Promise.all(all.map((one) => attack(one, names)));
}

/** The failures of the administrator that the log still has. */
async function failuresLeft(url: string, { tenant, sessionId }: World): Promise<number> {
  const headers = { ...home, "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
  const path = "/v1/requests?outcome=failed&operation=GET+%2Fv1%2Fuser%2F%7Bid%7D&limit=200";
  const rows: { caller?: unknown }[] = await (await fetch(`${url}${path}`, { headers })).json();
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

async function measure(url: string, world: World, one: Case): Promise<boolean> {
  const quiet = await look(url, world, Math.min(20, one.seconds));
  const { tenant, site } = world;
  const stop = await startAttack({ ...one, url, victim: { tenant, site } });
  const seen = await look(url, world, one.seconds);
  const statuses = await stop();
  const ratio = seen.p99 / quiet.p99;
  const isWithin = ratio <= goal && seen.isEachIn && seen.failed === 0;
  const name = one.names.length === 1 ? one.names[0] : "all of them, two sandboxes";
  const signIns = `shoppers ${seen.shoppers}, administrators ${seen.administrators}`;
  process.stdout.write(
    `${String(name).padEnd(30)} p99 ${quiet.p99.toFixed(0)} -> ${seen.p99.toFixed(0)} ms, ${ratio.toFixed(1)} times; ${signIns}; lists not answered ${seen.failed}; its requests ${statuses}${isWithin ? "" : "  beyond the goal"}\n`,
  );
  await pause(3000);
  return isWithin;
}

async function runAll(product: Product, world: World): Promise<boolean> {
  const { url } = product;
  const names = Object.keys(attacks) as AttackName[];
  await fail(url, world);
  let isWithin = true;
  for (const name of names) {
    const one = { names: [name], strangers: 1, seconds };
    isWithin = (await measure(url, world, one)) && isWithin;
  }
  const together = { names, strangers: 2, seconds: togetherSeconds };
  isWithin = (await measure(url, world, together)) && isWithin;
  const lost = ownFailures - (await failuresLeft(url, world));
  process.stdout.write(`rows of the administrator's log lost: ${lost}\n`);
  return isWithin && lost === 0;
}

/** What streams of requests of strangers within the default limits do to another tenant. */
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
    const isWithin = await runAll(product, await enter(product.url, folder));
    // One sandbox mailed by itself, then two together.
    const beyond = Math.max(0, smtp.received.length - 3 * maxADayOfTenant.sandbox);
    process.stdout.write(`mails ${smtp.received.length}, beyond the caps ${beyond}\n`);
    return isWithin && beyond === 0;
  } finally {
    await product.stop();
    await smtp.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
