import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { buildClient } from "@/sdk/build.mjs";
import { createClient, type Gatehouse } from "@/sdk/src/index.js";
import { verifiersAt } from "./testing/verifiers";

/** The number of keys for each kind of race. VERIFIER_RACES=1000 has 10,000 races: five ways, two verifiers. */
const races = Number(process.env.VERIFIER_RACES ?? 32);
/** The number of concurrent races. */
const together = 32;

const send = testServer();
let folder: string;
let tenant: string;
let verifyKey: string;
let admin: Gatehouse;
let child: ChildProcessWithoutNullStreams;
let verify: ((apiKey: string) => Promise<string>)[];
const verifiers = verifiersAt(() => ({ url: send.url(), tenant, verifyKey }));

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  folder = await mkdtemp(join(tmpdir(), "gatehouse-race-"));
  tenant = await makeTenant();
  const service = await makeUser(tenant, { roleIds: ["portal.configurations.mgmt"] });
  verifyKey = (await makeApiKey(tenant, service.userId)).apiKey;
  const { userId } = await makeUser(tenant, { roleIds: ["tenant.admin"] });
  const { sessionId } = await makeSession(tenant, userId);
  admin = createClient({ url: send.url(), tenant, sessionId });
  const client = join(await buildClient(folder), "index.js");
  const program = join(import.meta.dirname, "testing/verifying-process.mjs");
  child = spawn(process.execPath, [program, client, send.url(), tenant, verifyKey]);
  const own = verifiers.open();
  verify = [
    async (apiKey) => (await own.verify({ wholeTenant: true, apiKey })).code,
    otherProcess(),
  ];
  // Answers are cached from two seconds after the start of the feed.
  await pause(2500);
});
afterAll(async () => {
  delete process.env.RATE_LIMITS;
  child.kill();
  await verifiers.close();
  await rm(folder, { recursive: true, force: true });
});

/** Verifies with the verifier of the other process. To be called once. */
function otherProcess(): (apiKey: string) => Promise<string> {
  const waiting = new Map<string, (code: string) => void>();
  let asked = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [id = "", code = ""] = line.split(" ");
    waiting.get(id)?.(code);
    waiting.delete(id);
  });
  return (apiKey) =>
    new Promise((resolve) => {
      asked += 1;
      waiting.set(String(asked), resolve);
      child.stdin.write(`${asked} ${apiKey}\n`);
    });
}

interface Racing {
  apiKey: string;
  /** Makes the key stop working; resolves when that is done. */
  end: () => Promise<unknown>;
  /** The expiry of the key, which on a slow machine may be before the first verification. */
  validTo?: Date;
}

type Start = () => Promise<Racing>;

const keyWith = async (row: Parameters<typeof makeApiKey>[2] = {}) => {
  const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
  return { userId, ...(await makeApiKey(tenant, userId, row)) };
};

const ways: Record<string, Start> = {
  revoked: async () => {
    const { apiKey, apiKeyId } = await keyWith();
    return { apiKey, end: () => admin.managedKeys.revoke({ apiKeyId }) };
  },
  suspended: async () => {
    const { apiKey, apiKeyId } = await keyWith();
    return { apiKey, end: () => admin.managedKeys.suspend({ apiKeyId }) };
  },
  locked: async () => {
    const { apiKey, userId } = await keyWith();
    return { apiKey, end: () => admin.users.lock({ id: userId, body: { reason: "race" } }) };
  },
  restricted: async () => {
    const { apiKey, userId } = await keyWith();
    const { etag } = await admin.exchange("GET /v1/user/{id}/roles", { id: userId });
    const body = { roleIds: [], sites: {} };
    return { apiKey, end: () => admin.users.setRoles({ id: userId, body }, { ifMatch: etag }) };
  },
  expired: async () => {
    const validTo = new Date(Date.now() + 5000);
    const { apiKey } = await keyWith({ validTo });
    return { apiKey, validTo, end: () => pause(Math.max(0, validTo.getTime() - Date.now())) };
  },
};

/** A verifier without fresh data rejects, which counts as not active. */
const orRejected = (asked: Promise<string>) => asked.catch(() => "REJECTED");

/** Verifies continuously on every verifier while the key ends; returns the verdicts from a second later on. */
async function race(start: Start) {
  const { apiKey, end, validTo } = await start();
  const first = await Promise.all(verify.map((one) => one(apiKey)));
  const before = validTo === undefined || validTo > new Date() ? first : [];
  let isOver = false;
  const asking = verify.map(async (one) => {
    while (!isOver) {
      await orRejected(one(apiKey));
      await pause(50 + Math.random() * 150);
    }
  });
  await pause(Math.random() * 500);
  await end();
  await pause(1000);
  const after = await Promise.all(verify.map((one) => orRejected(one(apiKey))));
  isOver = true;
  await Promise.all(asking);
  return { before, after };
}

test.each(Object.entries(ways))(
  "a key that was %s is active nowhere a second later",
  async (_, start) => {
    const wrong: string[] = [];
    let done = 0;
    for (let count = 0; count < races; count += together) {
      const some = Array.from({ length: Math.min(together, races - count) }, () => race(start));
      for (const { before, after } of await Promise.all(some)) {
        done += 1;
        if (before.some((code) => code !== "VALID")) wrong.push(`before: ${before}`);
        if (after.some((code) => code === "VALID")) wrong.push(`after: ${after}`);
      }
    }
    expect(done).toBe(races);
    expect(wrong).toEqual([]);
  },
  600_000,
);
