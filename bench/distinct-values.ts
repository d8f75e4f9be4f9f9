import { rmSync } from "node:fs";
import { hashPassword } from "@/lib/access/hashing";
import { closeStore, openStore, transaction } from "@/lib/database/open";
import { actingAsSystem } from "@/lib/features/audit/service";
import { createTenant } from "@/lib/features/tenants/create";
import { createUser } from "@/lib/features/users/create";
import { makeStoreFolder } from "@/lib/server/testing/product";
import type { LoadRequest } from "./load";
import { load, startMeasured } from "./processes";
import { enter, seed } from "./seed";

const seconds = Number(process.env.BENCH_SECONDS) || 4;
const rounds = Number(process.env.BENCH_ROUNDS) || 5;
const senders = 10;
const cellsInBatch = 1000;
const readers = 4;
const stranger = { tenant: "stranger", login: "admin", password: "correct horse battery staple" };

async function seedStranger(): Promise<void> {
  await openStore();
  const { tenant, login, password } = stranger;
  const acting = actingAsSystem(tenant, "bench");
  const hash = await hashPassword({ plane: "management", tenantId: tenant }, password);
  await transaction(async (tx) => {
    await createTenant(tx, acting, { name: "Stranger", kind: "production", sites: [] });
    const roles = { roleIds: ["tenant.admin"], sites: {} };
    const emailAddress = "admin@stranger.example";
    await createUser(tx, acting, {
      login,
      name: "Stranger",
      emailAddress,
      roles,
      password: { hash },
    });
  });
  await closeStore();
}

async function post(url: string, headers: Record<string, string>, body: string) {
  const sent = {
    "Content-Type": "application/json",
    "X-Service-Tenant": stranger.tenant,
    ...headers,
  };
  return fetch(url, { method: "POST", headers: sent, body });
}

/** A batch in which every cell has different values, generated once so that the sender's work is not part of the measured time. */
const template = JSON.stringify({
  batchId: "ID",
  cells: Array.from({ length: cellsInBatch }, (_, n) => ({
    time: "TIME",
    domain: `d-ID-${n}`,
    endpoint: `GET /ID/${n}`,
    method: "GET",
    status: 200,
    count: 1,
  })),
});

/** Sends batches one after the other; every cell has new values. */
async function flood(
  url: string,
  sessionId: string,
  { isOver, statuses }: { isOver: () => boolean; statuses: Record<string, number> },
): Promise<void> {
  while (!isOver()) {
    const body = template
      .replaceAll("ID", crypto.randomUUID())
      .replaceAll("TIME", new Date().toISOString());
    const answer = await post(
      `${url}/v1/api-metrics/events`,
      { "X-Service-Session-Id": sessionId },
      body,
    );
    await answer.arrayBuffer();
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  }
}

/** Measures how ten parallel senders of distinct values slow down another tenant's list: its p99 with and without them. */
async function run(dataDir: string): Promise<void> {
  await seed(dataDir, 1000);
  await seedStranger();
  const product = await startMeasured(dataDir);
  try {
    const { tenant, apiKey } = await enter(product.url, dataDir);
    const headers = { "X-Service-Tenant": tenant, "X-Service-Api-Key": apiKey };
    const request: LoadRequest = { method: "GET", path: "/v1/user/list?limit=20", headers };
    const entered = await post(
      `${product.url}/v1/user/session-login`,
      {},
      JSON.stringify(stranger),
    );
    const { sessionId } = await entered.json();
    const read = { url: product.url, request, connections: readers, seconds };
    await load(read);
    for (let round = 1; round <= rounds; round += 1) {
      const quiet = await load(read);
      const statuses: Record<string, number> = {};
      let over = false;
      const order = { isOver: () => over, statuses };
      const all = Array.from({ length: senders }, () => flood(product.url, sessionId, order));
      const flooded = await load(read);
      over = true;
      await Promise.all(all);
      const ratio = (flooded.p99 / quiet.p99).toFixed(1);
      process.stdout.write(
        `list p99 quiet ${quiet.p99.toFixed(2)} ms, beside ${senders} senders ${flooded.p99.toFixed(2)} ms: ${ratio} times; `,
      );
      process.stdout.write(
        `list ${JSON.stringify(flooded.statuses)}, batches ${JSON.stringify(statuses)}\n`,
      );
    }
  } finally {
    await product.stop();
  }
}

const dataDir = makeStoreFolder();
try {
  await run(dataDir);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
