import { pbkdf2Sync, randomBytes, scryptSync } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { hashSync as argon2 } from "@node-rs/argon2";
import { hashSync as bcrypt } from "@node-rs/bcrypt";
import { eq } from "drizzle-orm";
import { isOwnHash } from "@/lib/access/password-hashes";
import { closeStore, db, openStore } from "@/lib/database/open";
import { customers } from "@/lib/database/schema/schema";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";
import { enter, seed, type World } from "./seed";

/*
 * npm run bench -- foreign-hashes [count]: imports this many customers (1,000) with a hash of each foreign kind, each with a password and a
 * separate salt, signs each of them in over HTTP with the correct password, a tenth of them with a wrong one before, and checks that
 * their hashes were replaced by ours and still work. The hashes have the minimum cost of each kind.
 */

const count = Number(process.argv[2]) || 1000;
const together = 2;
/** While many passwords are being hashed, an imported hash is not replaced before the next sign-in. */
const passes = 3;

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replaceAll("=", "");

function scrypt(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { cost: 16, blockSize: 8, parallelization: 1 });
  return `$scrypt$ln=4,r=8,p=1$${base64(salt)}$${base64(hash)}`;
}

const digests = ["sha1", "sha256", "sha512"] as const;

function pbkdf2(password: string, n: number): string {
  const [salt, digest] = [randomBytes(16), digests[n % digests.length] ?? "sha256"];
  const hash = pbkdf2Sync(
    password,
    salt,
    1000,
    { sha1: 20, sha256: 32, sha512: 64 }[digest],
    digest,
  );
  return `$pbkdf2-${digest}$i=1000$${base64(salt)}$${base64(hash)}`;
}

/** argon2d, argon2i and argon2id. */
const algorithms = [0, 1, 2] as const;
const cheap = { memoryCost: 64, timeCost: 1, parallelism: 1 };

/** Creates the n-th password hash of its kind. */
const kinds: Record<string, (password: string, n: number) => string> = {
  bcrypt: (password) => bcrypt(password, 4),
  scrypt,
  pbkdf2,
  argon2: (password, n) => argon2(password, { ...cheap, algorithm: algorithms[n % 3] ?? 2 }),
};

interface Vector {
  kind: string;
  login: string;
  password: string;
  passwordHash: string;
}

function vectorOf(kind: string, n: number): Vector {
  const password = `${base64(randomBytes(9))} ünï ${n}`;
  const passwordHash = kinds[kind]?.(password, n) ?? "";
  return { kind, login: `${kind}-${n}@bench.example`, password, passwordHash };
}

async function importAll({ url }: Product, world: World, vectors: Vector[]): Promise<void> {
  const headers = {
    "X-Service-Tenant": world.tenant,
    "X-Service-Site": world.site,
    "X-Service-Session-Id": world.sessionId,
  };
  const lines = vectors.map(({ login, passwordHash }) => JSON.stringify({ login, passwordHash }));
  const sent = { ...headers, "Content-Type": "application/x-ndjson" };
  const init = { method: "POST", headers: sent, body: lines.join("\n") };
  const response = await fetch(`${url}/v1/customers/imports`, init);
  let state = await response.json();
  if (response.status !== 202) throw new Error(JSON.stringify(state));
  const path = `${url}/v1/customers/imports/${state.id}`;
  while (state.state !== "done") {
    await pause(200);
    state = await (await fetch(path, { headers })).json();
  }
  process.stdout.write(`imported ${state.done}, failed ${state.failed}\n`);
}

/** The status of a sign-in, which is retried while the server is busy. */
async function signIn(product: Product, world: World, login: string, password: string) {
  const headers = {
    "Content-Type": "application/json",
    "X-Service-Tenant": world.tenant,
    "X-Service-Site": world.site,
    Authorization: `Bearer ${world.shopper.anonymousToken}`,
  };
  const init = { method: "POST", headers, body: JSON.stringify({ login, password }) };
  for (;;) {
    const response = await fetch(`${product.url}/v1/customer/login/token`, init);
    await response.text();
    if (response.status !== 503) return response.status;
    await pause(500);
  }
}

type Tally = Record<string, number>;

const add = (tally: Tally, what: string) => {
  tally[what] = (tally[what] ?? 0) + 1;
};

async function signAllIn(product: Product, world: World, vectors: Vector[], wrongEach: number) {
  const tally: Tally = {};
  const queue = vectors.entries();
  const lane = async () => {
    for (const [n, { kind, login, password }] of queue) {
      if (n % wrongEach === 0 && Number.isFinite(wrongEach))
        add(tally, `${kind} wrong ${await signIn(product, world, login, `${password}.`)}`);
      add(tally, `${kind} right ${await signIn(product, world, login, password)}`);
    }
  };
  await Promise.all(Array.from({ length: together }, lane));
  return tally;
}

/** The customers whose hash in the store is still the imported one, after every process has ended. */
async function notRehashed(dataDir: string, vectors: Vector[]): Promise<Vector[]> {
  process.env.DATA_DIR = dataDir;
  await openStore();
  const columns = { login: customers.login, hash: customers.passwordHash };
  const rows = await db().select(columns).from(customers).where(eq(customers.tenantId, "bench"));
  await closeStore();
  const hashes = new Map(rows.map(({ login, hash }) => [login, hash ?? ""]));
  return vectors.filter(({ login }) => !isOwnHash(hashes.get(login) ?? ""));
}

/** Whether every correct password was accepted and every wrong one rejected. */
function isAsExpected(tally: Tally, perKind: number): boolean {
  const names = Object.keys(kinds);
  const isEach = names.every((kind) => tally[`${kind} right 200`] === perKind);
  return isEach && Object.keys(tally).every((key) => /(right 200|wrong 401)$/.test(key));
}

async function main(dataDir: string): Promise<boolean> {
  await seed(dataDir, 5, 0);
  const vectors = Object.keys(kinds).flatMap((kind) =>
    Array.from({ length: count }, (_, n) => vectorOf(kind, n)),
  );
  let product = await startProduct(dataDir, { RATE_LIMITS: "off" });
  let world = await enter(product.url, dataDir);
  await importAll(product, world, vectors);
  const first = await signAllIn(product, world, vectors, 10);
  process.stdout.write(`sign-ins: ${JSON.stringify(first)}\n`);
  let left = vectors;
  for (let pass = 1; ; pass += 1) {
    await product.stop();
    left = await notRehashed(dataDir, left);
    process.stdout.write(`not rehashed after ${pass} sign-ins: ${left.length}\n`);
    product = await startProduct(dataDir, { RATE_LIMITS: "off" });
    world = await enter(product.url, dataDir);
    if (left.length === 0 || pass === passes) break;
    await signAllIn(product, world, left, Number.POSITIVE_INFINITY);
  }
  const sample = vectors.filter((_, n) => n % 10 === 0);
  const again = await signAllIn(product, world, sample, 1);
  process.stdout.write(`with the hash of ours: ${JSON.stringify(again)}\n`);
  await product.stop();
  return isAsExpected(first, count) && isAsExpected(again, count / 10) && left.length === 0;
}

const dataDir = makeStoreFolder();
try {
  process.exitCode = (await main(dataDir)) ? 0 : 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
