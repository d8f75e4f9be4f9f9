import { setTimeout as pause } from "node:timers/promises";
import type { DocumentNode } from "@/lib/catalogue/testing/document-node";
import type { Operation } from "@/lib/catalogue/testing/isolation-requests";
import { credentialsOf, makeIsolationWorld } from "@/lib/catalogue/testing/isolation-world";
import { type Callers, randomRequest, seededRandom } from "@/lib/catalogue/testing/random-requests";
import { type Send, sendTo } from "@/lib/http/testing/test-server";

/** Requests end sessions, and lock and delete objects, so a new tenant is created after this many requests. */
const perTenant = 300;

export interface Traffic {
  /** The number of responses by status. */
  statuses: Map<number, number>;
  faults: string[];
}

async function operationsOf(document: DocumentNode): Promise<Operation[]> {
  return Object.entries<DocumentNode>(document.paths).flatMap(([path, methods]) =>
    Object.entries<DocumentNode>(methods)
      .filter(([, declared]) => declared["x-error-codes"])
      .map(([method, declared]) => ({ name: `${method.toUpperCase()} ${path}`, declared })),
  );
}

/** Creates a tenant with its credentials; retries, because a busy machine rejects some of the requests. */
async function newCallers(send: Send, components: Callers["components"]): Promise<Callers> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const world = await makeIsolationWorld(send);
      return { world, credentials: await credentialsOf(send, world, world.tenant), components };
    } catch (error) {
      if (attempt === 20) throw error;
      await pause(1000);
    }
  }
}

/** Sends valid and invalid requests of every operation, one after the other in separate tenants, until the time is over. */
async function callAtRandom(url: string, until: number, seed: number, traffic: Traffic) {
  const send = sendTo(url);
  const document: DocumentNode = (await send("GET /openapi.json")).body;
  const operations = await operationsOf(document);
  const random = seededRandom(seed);
  const { schemas } = document.components;
  let callers = await newCallers(send, schemas);
  for (let sent = 1; performance.now() < until; sent += 1) {
    if (sent % perTenant === 0) callers = await newCallers(send, schemas);
    const operation = operations[Math.floor(random() * operations.length)] as Operation;
    const { operation: asked, headers, raw } = randomRequest(operation, callers, random);
    try {
      const { status, text } = await send(
        asked,
        raw === undefined ? { headers } : { headers, raw },
      );
      traffic.statuses.set(status, (traffic.statuses.get(status) ?? 0) + 1);
      if (status >= 500 && status !== 503) traffic.faults.push(`${asked}: ${text.slice(0, 200)}`);
    } catch (error) {
      traffic.faults.push(`${asked}: ${String(error)}`);
    }
  }
}

/** Runs `callAtRandom` on several connections at once; returns the responses of all. */
export async function callEverything(
  url: string,
  { seconds, callers, seed }: { seconds: number; callers: number; seed: number },
): Promise<Traffic> {
  const traffic: Traffic = { statuses: new Map(), faults: [] };
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: callers }, (_, n) => callAtRandom(url, until, seed * 100 + n, traffic)),
  );
  return traffic;
}
