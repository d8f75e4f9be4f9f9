import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { startBalancer } from "./balancer";
import { freePort, type Product, startProduct } from "./product";

/** In a body, `{n}` is replaced by a different value each time. */
export interface RollingRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

export interface Rolled {
  requests: number;
  restarts: number;
  /** Status and text of each failed request. */
  failed: string[];
  slowestMilliseconds: number;
}

interface Rolling {
  folder: string;
  env: Record<string, string>;
  /** How often each of the two processes is replaced. */
  rounds: number;
  /** Continues replacing them until this many requests got a response. */
  leastRequests?: number;
  /** The number of concurrent clients. */
  callers: number;
  /** The requests that a client repeats: writers of one tenant wait for each other, and more than two are rejected. */
  requestsOf(caller: number): RollingRequest[];
}

/** How long a node serves after SIGTERM while its readiness is 503: longer than a balancer needs to detect it. */
const drainMilliseconds = 1500;
const mostMilliseconds = 60_000;

async function keepAsking(
  url: string,
  asked: RollingRequest[],
  rolled: Rolled,
  isOver: () => boolean,
) {
  for (let turn = 0; !isOver(); turn += 1) {
    const { method, path, headers, body } = asked[turn % asked.length] as RollingRequest;
    const sent = body?.replaceAll("{n}", randomBytes(8).toString("hex"));
    const startedAt = performance.now();
    try {
      const init =
        sent === undefined
          ? { method, headers }
          : { method, headers: { ...headers, "Content-Type": "application/json" }, body: sent };
      const answer = await fetch(`${url}${path}`, init);
      const text = await answer.text();
      if (!answer.ok)
        rolled.failed.push(`${method} ${path}: ${answer.status} ${text.slice(0, 200)}`);
    } catch (error) {
      rolled.failed.push(`${method} ${path}: ${String(error)}`);
    }
    rolled.requests += 1;
    rolled.slowestMilliseconds = Math.max(
      rolled.slowestMilliseconds,
      performance.now() - startedAt,
    );
  }
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (const end = performance.now() + mostMilliseconds; !isSo(); await pause(20))
    if (performance.now() > end) throw new Error(`It took too long until ${what}.`);
}

/** Replaces two processes behind a balancer one after the other, under load, and reports the outcome of the requests. */
export async function rollUnderLoad({
  folder,
  env,
  rounds,
  leastRequests = 0,
  callers,
  requestsOf,
}: Rolling): Promise<Rolled> {
  const ports = [await freePort(), await freePort()].map(String);
  const start = (port: string) =>
    startProduct(folder, { ...env, DRAIN_MS: String(drainMilliseconds), PORT: port });
  const nodes = new Map<string, Product>();
  for (const port of ports) nodes.set(port, await start(port));
  const balancer = await startBalancer([...nodes.values()].map(({ url }) => url));
  const rolled: Rolled = { requests: 0, restarts: 0, failed: [], slowestMilliseconds: 0 };
  let isOver = false;
  const load = Array.from({ length: callers }, (_, caller) =>
    keepAsking(balancer.url, requestsOf(caller), rolled, () => isOver),
  );
  const more = () => {
    const before = rolled.requests;
    return until(() => rolled.requests > before + 10 * callers, "requests were answered");
  };
  try {
    for (let round = 0; round < rounds || rolled.requests < leastRequests; round += 1)
      for (const [port, node] of nodes) {
        await more();
        const code = await node.stop();
        if (code !== 0)
          rolled.failed.push(`a node ended with ${code}: ${node.output().slice(-1000)}`);
        await more();
        const next = await start(port);
        nodes.set(port, next);
        await until(() => balancer.isServing(next.url), "the new node got requests");
        rolled.restarts += 1;
      }
    await more();
  } finally {
    isOver = true;
    await Promise.all(load);
    await balancer.close();
    await Promise.all([...nodes.values()].map((node) => node.stop()));
  }
  return rolled;
}
