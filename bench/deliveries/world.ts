import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startServer } from "@/bench/faults/server";
import { enter, seed, type World } from "@/bench/seed";
import { closeStore, openStore, transaction } from "@/lib/database/open";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { testCertificate } from "@/lib/features/destinations/audit-streams/testing/certificate";
import { type Product, startProduct } from "@/lib/server/testing/product";

const tenant = "bench";
const subjects = 50;

/** A store in a separate process, so that a kill ends only the service. */
export async function openWorld(folder: string) {
  const storeFolder = join(folder, "store");
  mkdirSync(storeFolder, { mode: 0o711 });
  const server = await startServer(storeFolder);
  const authority = join(folder, "receivers.pem");
  writeFileSync(authority, testCertificate);
  const env = {
    DATABASE_URL: server.url,
    SECRET_KEY: randomBytes(32).toString("base64"),
    RATE_LIMITS: "off",
    PUBLIC_URL: "http://localhost:3000",
    WEBHOOK_NETWORKS: "127.0.0.1",
    NODE_EXTRA_CA_CERTS: authority,
  };
  Object.assign(process.env, env);
  await seed(folder, 5, 0);
  await openStore();
  return {
    start: () => startProduct(folder, env),
    async close() {
      await closeStore();
      await server.stop("SIGINT");
    },
    addWebhooks: (product: Product, urls: readonly string[]) => addWebhooks(product, folder, urls),
  };
}

/** On a busy machine a new store may need longer than the timeout of a connection. */
async function enterPatiently(url: string, folder: string): Promise<World> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await enter(url, folder);
    } catch (error) {
      if (attempt === 10) throw error;
      await pause(1000);
    }
  }
}

async function addWebhooks({ url }: Product, folder: string, urls: readonly string[]) {
  const { sessionId } = await enterPatiently(url, folder);
  const headers = {
    "Content-Type": "application/json",
    "X-Service-Tenant": tenant,
    "X-Service-Session-Id": sessionId,
  };
  for (const one of urls) {
    const body = JSON.stringify({ url: one, types: ["user.updated"] });
    const response = await fetch(`${url}/v1/webhooks`, { method: "POST", headers, body });
    if (response.status !== 201) throw new Error(await response.text());
  }
}

/** Writes the entry whose event is delivered to the endpoints, as a change of a user does. */
export const happen = (n: number): Promise<void> =>
  transaction((tx) =>
    record(tx, actingAsSystem(tenant, "bench"), {
      action: "user.updated",
      target: { type: "user", id: `user_${n % subjects}`, name: "Ada Example" },
      changes: { name: { before: `Ada ${n}`, after: `Ada ${n + 1}` } },
    }),
  );
