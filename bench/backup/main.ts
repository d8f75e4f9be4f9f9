import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Server, startServer } from "@/bench/faults/server";
import { enter, seed, type World } from "@/bench/seed";
import { projectRoot } from "@/lib/database/data-dir";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";
import { tryDamaged } from "./damaged";
import { fill } from "./fill";

/*
 * Backs up a large store during writes, tries to restore damaged copies and with the wrong key, restores the backup into the target,
 * which must still be empty, and tries keys and tokens there with the SECRET_KEY and without it:
 * npm run bench -- backup [customers] [entries of the trail] [external]. `external`: on a PostgreSQL over TCP instead of the embedded one.
 */

const customers = Number(process.argv[2]) || 100_000;
const entries = Number(process.argv[3]) || 1_000_000;
const writers = 8;
const secret = randomBytes(32).toString("base64");
/** The issuer of tokens, which must not depend on the port of the service. */
const settings = { RATE_LIMITS: "off", PUBLIC_URL: "https://gatehouse.example" };
const [source, target] = [makeStoreFolder(), makeStoreFolder()];
const file = join(source, "backup");
const servers = new Map<string, Server>();
const say = (text: string) => process.stdout.write(`${text}\n`);

/** The store that belongs to a data folder. */
const storeOf = (dataDir: string) => ({
  DATA_DIR: dataDir,
  DATABASE_URL: servers.get(dataDir)?.url ?? "",
});

/** Runs a command of the product and shows its output. Returns its exit code. */
async function command(
  args: ["backup" | "restore", ...string[]],
  dataDir: string,
  key = secret,
): Promise<number | null> {
  const began = performance.now();
  const env = { ...process.env, ...storeOf(dataDir), BACKUP_KEY: key };
  const script = join(projectRoot(), "scripts", "run.mjs");
  const child = spawn(process.execPath, [script, ...args], { env, stdio: "inherit" });
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  say(`${args[0]}: ${code} after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  return code;
}

const byKey = ({ tenant, apiKey }: World) => ({
  "X-Service-Tenant": tenant,
  "X-Service-API-Key": apiKey,
});
const bySession = ({ tenant, sessionId }: World) => ({
  "X-Service-Tenant": tenant,
  "X-Service-Session-Id": sessionId,
});

/** Changes users until `isOver`; returns the acknowledged changes and the number of failed ones. */
async function write({ url }: Product, world: World, isOver: () => boolean) {
  const headers = { ...bySession(world), "Content-Type": "application/json" };
  const listed = await fetch(`${url}/v1/user/list?limit=${writers + 1}`, { headers });
  const users: { id: string; login: string }[] = await listed.json();
  const done = { acknowledged: new Map<string, number>(), writes: 0, failed: 0 };
  const change = async (id: string) => {
    for (let version = 1; !isOver(); version += 1) {
      const body = JSON.stringify({ name: `Version ${version}` });
      const answer = await fetch(`${url}/v1/user/${id}`, { method: "PATCH", headers, body });
      await answer.arrayBuffer();
      if (answer.ok) done.acknowledged.set(id, version);
      if (answer.ok) done.writes += 1;
      else done.failed += 1;
      if (done.writes === 0 && done.failed > 0) throw new Error(`A write: ${answer.status}`);
    }
  };
  const changed = users.filter(({ login }) => login !== world.login).slice(0, writers);
  return { done, ended: Promise.all(changed.map(({ id }) => change(id))) };
}

/** The responses to requests with a key, a session and a shopper's token. */
async function tryCredentials({ url }: Product, world: World): Promise<Record<string, number>> {
  const { tenant, site, shopper } = world;
  const status = async (path: string, headers: Record<string, string>) =>
    (await fetch(url + path, { headers: { "X-Service-Tenant": tenant, ...headers } })).status;
  const bearer = { "X-Service-Site": site, Authorization: `Bearer ${shopper.accessToken}` };
  return {
    key: await status("/v1/user/session", byKey(world)),
    session: await status("/v1/user/session", bySession(world)),
    token: await status("/v1/customer/profile", bearer),
  };
}

/** The number of users without a change that was acknowledged before the backup began. */
async function countLost({ url }: Product, world: World, known: Map<string, number>) {
  const answer = await fetch(`${url}/v1/user/list`, { headers: byKey(world) });
  const users: { id: string; name: string }[] = await answer.json();
  const versions = new Map(
    users.map(({ id, name }) => [id, Number(/^Version (\d+)$/.exec(name)?.[1] ?? 0)]),
  );
  return [...known].filter(([id, version]) => (versions.get(id) ?? 0) < version).length;
}

async function backUpUnderLoad() {
  const product = await startProduct(source, { ...settings, ...storeOf(source) });
  const world = await enter(product.url, source);
  let isOver = false;
  const { done, ended } = await write(product, world, () => isOver);
  while (done.acknowledged.size < writers) await Promise.race([ended, pause(10)]);
  const known = new Map(done.acknowledged);
  if ((await command(["backup", "--out", file], source)) !== 0)
    throw new Error("There is no backup.");
  isOver = true;
  await ended;
  say(`meanwhile ${done.writes} writes, ${done.failed} failed`);
  await product.stop();
  return { world, known, failed: done.failed };
}

async function main(): Promise<boolean> {
  if (process.argv[4] === "external")
    for (const folder of [source, target]) {
      const disk = join(folder, "disk");
      mkdirSync(disk, { mode: 0o711 });
      servers.set(folder, await startServer(disk));
    }
  Object.assign(process.env, { SECRET_KEY: secret, ...storeOf(source) });
  await seed(source, 50, 0);
  const began = performance.now();
  await fill({ tenant: "bench", site: "eu" }, { customers, entries });
  say(`filled in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  const { world, known, failed } = await backUpUnderLoad();
  const restore = (path: string, key: string) => command(["restore", "--in", path], target, key);
  const accepted = await tryDamaged(file, secret, restore);
  say(`damaged, or with a wrong key, and restored all the same: ${accepted.join(", ") || "none"}`);
  if ((await restore(file, secret)) !== 0) return false;
  const restored = await startProduct(target, { ...settings, ...storeOf(target) });
  const [withKey, lost] = [
    await tryCredentials(restored, world),
    await countLost(restored, world, known),
  ];
  await restored.stop();
  say(`with the SECRET_KEY ${JSON.stringify(withKey)}; acknowledged before and lost: ${lost}`);
  const other = { SECRET_KEY: randomBytes(32).toString("base64"), SECRET_KEY_PREVIOUS: "lost" };
  const strange = await startProduct(target, { ...settings, ...storeOf(target), ...other });
  const withoutKey = await tryCredentials(strange, world);
  await strange.stop();
  say(`with another one ${JSON.stringify(withoutKey)}`);
  const isRight = Object.values(withKey).every((status) => status === 200);
  return isRight && accepted.length === 0 && failed === 0 && lost === 0 && withoutKey.token === 401;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  for (const server of servers.values()) await server.kill();
  for (const folder of [source, target]) rmSync(folder, { recursive: true, force: true });
}
