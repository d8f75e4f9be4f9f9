import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { closeStore, db, openStore } from "@/lib/database/open";
import { customers } from "@/lib/database/schema/schema";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";
import { firstBrokenEntry } from "./audit-chain";
import { enter, seed, type World } from "./seed";

const rounds = Number(process.argv[2]) || 50;
const registering = 3;
const longestRound = 1500;

/** What was answered: logins that were registered, and the last number that a change of the profile was answered with. */
interface Acknowledged {
  logins: Set<string>;
  changes: number;
  sent: number;
}

/** Calls one after the other until the server is gone. */
async function untilGone(call: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; ; n += 1) {
    try {
      await call(n);
    } catch {
      return;
    }
  }
}

interface Sender {
  product: Product;
  world: World;
  token: string;
}

async function send(
  { product, world, token }: Sender,
  operation: string,
  body: unknown,
): Promise<void> {
  const [method = "", path = ""] = operation.split(" ");
  const headers = {
    "X-Service-Tenant": world.tenant,
    "X-Service-Site": world.site,
    Authorization: `Bearer ${token}`,
  };
  const init = {
    method,
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  const response = await fetch(product.url + path, init);
  await response.text();
  if (!response.ok) throw new Error(String(response.status));
}

/** A store that was killed a moment ago, on a machine that is busy, may need longer than a connection waits for it. */
async function enterPatiently(url: string, dataDir: string): Promise<World> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await enter(url, dataDir);
    } catch (error) {
      if (attempt === 10) throw error;
      await pause(1000);
    }
  }
}

async function killedRound(
  dataDir: string,
  round: number,
  acknowledged: Acknowledged,
): Promise<void> {
  const product = await startProduct(dataDir, { RATE_LIMITS: "off" });
  const world = await enterPatiently(product.url, dataDir);
  const { accessToken, anonymousToken } = world.shopper;
  const register = (writer: number) => async (n: number) => {
    const login = `round ${round} writer ${writer} ${n}`;
    await send({ product, world, token: anonymousToken }, "POST /v1/customer/registration", {
      login,
      password: "a shopper's own secret",
    });
    acknowledged.logins.add(login);
  };
  const change = async () => {
    acknowledged.sent += 1;
    const number = acknowledged.sent;
    await send({ product, world, token: accessToken }, "PATCH /v1/customer/profile", {
      name: { last: String(number) },
    });
    acknowledged.changes = number;
  };
  const work = [
    untilGone(change),
    ...Array.from({ length: registering }, (_, writer) => untilGone(register(writer))),
  ];
  await pause(Math.random() * longestRound);
  product.process.kill("SIGKILL");
  await product.ended;
  await Promise.all(work);
}

/** What the store holds once every process is gone. */
async function stored(dataDir: string): Promise<{ logins: Set<string>; number: number }> {
  process.env.DATA_DIR = dataDir;
  await openStore();
  const columns = { login: customers.login, details: customers.details };
  const rows = await db().select(columns).from(customers).where(eq(customers.tenantId, "bench"));
  await closeStore();
  const own = rows.find((row) => row.login === "shopper");
  return {
    logins: new Set(rows.map((row) => row.login)),
    number: Number(own?.details.name?.last ?? Number.NaN),
  };
}

async function main(dataDir: string): Promise<boolean> {
  await seed(dataDir, 5);
  const acknowledged: Acknowledged = { logins: new Set(), changes: 0, sent: 0 };
  for (let round = 1; round <= rounds; round += 1) {
    await killedRound(dataDir, round, acknowledged);
    const { logins, changes } = acknowledged;
    process.stdout.write(
      `\rkilled ${round} of ${rounds} times, ${logins.size} registrations, ${changes} changes`,
    );
  }
  const found = await stored(dataDir);
  const lost = [...acknowledged.logins].filter((login) => !found.logins.has(login));
  const isKept = found.number >= acknowledged.changes && found.number <= acknowledged.sent;
  const { broken } = await firstBrokenEntry(dataDir, "bench");
  process.stdout.write(`\nacknowledged registrations lost: ${lost.length}\n`);
  process.stdout.write(
    `profile at change ${found.number}; acknowledged ${acknowledged.changes}, sent ${acknowledged.sent}\n`,
  );
  process.stdout.write(
    `audit chain: ${broken === undefined ? "verifies" : `broken at entry ${broken}`}\n`,
  );
  return lost.length === 0 && isKept && broken === undefined;
}

const dataDir = makeStoreFolder();
try {
  process.exitCode = (await main(dataDir)) ? 0 : 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
