import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { closeStore, openStore } from "@/lib/database/open";
import { makeStoreFolder, startProduct } from "@/lib/server/testing/product";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { createClient, type Gatehouse, type Verifier } from "@/sdk/src/index.js";
import { startServer } from "./faults/server";

/*
 * npm run bench -- races [keys]: ends this many API keys (500) in each of five ways, through one of two processes on one PostgreSQL, while
 * a verifier at each process verifies them all the time. A second after the response to the end, both verifiers and POST
 * /v1/access/verify of both processes are queried: none may report the key as active. 500 keys in five ways are 10,000 verdicts.
 */

const keys = Number(process.argv[2]) || 500;
const together = 50;
const graceMs = 1000;

/** The clients of one process. */
interface Place {
  admin: Gatehouse;
  verifier: Verifier;
  /** Queries the process directly, without the verifier. */
  asked: (apiKey: string) => Promise<boolean>;
}

interface World {
  tenant: string;
  places: Place[];
}

interface Racing {
  apiKey: string;
  /** Makes the key stop working; resolves when that is done. */
  end: () => Promise<unknown>;
}

type Way = (world: World, admin: Gatehouse) => Promise<Racing>;

const keyWith = async (tenant: string, row: Parameters<typeof makeApiKey>[2] = {}) => {
  const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
  return { userId, ...(await makeApiKey(tenant, userId, row)) };
};

const ways: Record<string, Way> = {
  revoked: async ({ tenant }, admin) => {
    const { apiKey, apiKeyId } = await keyWith(tenant);
    return { apiKey, end: () => admin.managedKeys.revoke({ apiKeyId }) };
  },
  suspended: async ({ tenant }, admin) => {
    const { apiKey, apiKeyId } = await keyWith(tenant);
    return { apiKey, end: () => admin.managedKeys.suspend({ apiKeyId }) };
  },
  locked: async ({ tenant }, admin) => {
    const { apiKey, userId } = await keyWith(tenant);
    return { apiKey, end: () => admin.users.lock({ id: userId, body: { reason: "race" } }) };
  },
  restricted: async ({ tenant }, admin) => {
    const { apiKey, userId } = await keyWith(tenant);
    const { etag } = await admin.exchange("GET /v1/user/{id}/roles", { id: userId });
    const body = { roleIds: [], sites: {} };
    return { apiKey, end: () => admin.users.setRoles({ id: userId, body }, { ifMatch: etag }) };
  },
  expired: async ({ tenant }) => {
    const validTo = new Date(Date.now() + 8000);
    const { apiKey } = await keyWith(tenant, { validTo });
    return { apiKey, end: () => pause(Math.max(0, validTo.getTime() - Date.now())) };
  },
};

interface Outcome {
  /** Verdicts a second after the end, and how many of them said that the key is active. */
  verdicts: number;
  active: number;
  /** Verdicts before the end that did not report the key as active. */
  early: number;
  /** Queries that failed, and so did not report the key as active either. */
  failed: number;
}

const problems = new Map<string, number>();

/** Counts an error, such as that of a busy process, which is not a verdict. */
function noteProblem(error: unknown): undefined {
  const text = String(error);
  problems.set(text, (problems.get(text) ?? 0) + 1);
}

/** Verifies at both processes all the time while the key is ended through one of them. */
async function race(world: World, way: Way, n: number): Promise<Outcome> {
  const { places } = world;
  const admin = places[n % places.length]?.admin;
  if (!admin) throw new Error("There is no process to end a key through.");
  const { apiKey, end } = await way(world, admin);
  const verify = places.map(
    ({ verifier }) =>
      async () =>
        (await verifier.verify({ wholeTenant: true, apiKey })).code === "VALID",
  );
  const before = await Promise.all(verify.map((one) => one()));
  let isOver = false;
  const asking = verify.map(async (one) => {
    while (!isOver) {
      await one().catch(() => false);
      await pause(50 + Math.random() * 150);
    }
  });
  await pause(Math.random() * 500);
  await end();
  await pause(graceMs);
  const last = [...verify, ...places.map((place) => () => place.asked(apiKey))];
  const after = await Promise.all(last.map((one) => one().catch(noteProblem)));
  isOver = true;
  await Promise.all(asking);
  return {
    verdicts: after.length,
    active: after.filter((isActive) => isActive === true).length,
    early: before.filter((isActive) => !isActive).length,
    failed: after.filter((isActive) => isActive === undefined).length,
  };
}

async function raceAll(world: World, way: Way, count: number): Promise<Outcome> {
  const sum: Outcome = { verdicts: 0, active: 0, early: 0, failed: 0 };
  for (let n = 0; n < count; n += together) {
    const some = Array.from({ length: Math.min(together, count - n) }, (_, m) =>
      race(world, way, n + m),
    );
    for (const one of await Promise.all(some))
      for (const name of Object.keys(sum) as (keyof Outcome)[]) sum[name] += one[name];
    process.stdout.write(`\r${sum.verdicts} verdicts, ${sum.active} active   `);
  }
  return sum;
}

async function makePlaces(urls: string[]): Promise<World> {
  const tenant = await makeTenant();
  const service = await makeUser(tenant, { roleIds: ["portal.configurations.mgmt"] });
  const { apiKey: own, headers } = await makeApiKey(tenant, service.userId);
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { sessionId } = await makeSession(tenant, userId);
  const places = urls.map((url): Place => {
    const options = { apiKey: own, reportIntervalMs: 600_000 };
    return {
      // Many writes of one tenant at once: those that the process rejects with 503 are sent again.
      admin: createClient({ url, tenant, sessionId, maxRetries: 10 }),
      verifier: createClient({ url, tenant }).verifier(options),
      asked: async (apiKey) => {
        const response = await fetch(`${url}/v1/access/verify`, {
          method: "POST",
          headers: { ...headers, "Content-Type": "application/json" },
          body: JSON.stringify({ credentials: [{ apiKey }] }),
        });
        const verdicts = await response.json();
        if (response.status !== 200) throw new Error(`status ${response.status} ${verdicts.code}`);
        return verdicts[0].active;
      },
    };
  });
  return { tenant, places };
}

async function raceInAllWays(world: World): Promise<boolean> {
  let isKept = true;
  for (const [name, way] of Object.entries(ways)) {
    // Verifiers start caching two seconds after the feed has started.
    await Promise.all(
      world.places.map(({ verifier }) => verifier.verify({ wholeTenant: true, apiKey: "none" })),
    );
    await pause(2500);
    const { verdicts, active, early, failed } = await raceAll(world, way, keys);
    process.stdout.write(
      `\r${name}: ${keys} keys, ${verdicts} verdicts a second later, ${active} active, ${failed} without an answer; ${early} not active before\n`,
    );
    isKept = isKept && active === 0 && early === 0;
  }
  for (const [text, times] of problems)
    process.stdout.write(`without an answer: ${text} ${times}\n`);
  return isKept;
}

async function run(folder: string, env: Record<string, string>): Promise<boolean> {
  const products = await Promise.all([startProduct(folder, env), startProduct(folder, env)]);
  await openStore();
  const world = await makePlaces(products.map(({ url }) => url));
  try {
    return await raceInAllWays(world);
  } finally {
    await Promise.all(world.places.map(({ verifier }) => verifier.close()));
    await closeStore();
    await Promise.all(products.map(({ stop }) => stop()));
  }
}

const folder = makeStoreFolder();
const storeFolder = join(folder, "store");
mkdirSync(storeFolder, { mode: 0o711 });
const server = await startServer(storeFolder);
const env = {
  DATABASE_URL: server.url,
  SECRET_KEY: randomBytes(32).toString("base64"),
  RATE_LIMITS: "off",
  PUBLIC_URL: "http://localhost:3000",
};
Object.assign(process.env, env);
try {
  process.exitCode = (await run(folder, env)) ? 0 : 1;
} finally {
  await server.stop("SIGINT");
  rmSync(folder, { recursive: true, force: true });
}
