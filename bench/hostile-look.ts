import { setTimeout as pause } from "node:timers/promises";
import type { World } from "./seed";

/** The address of the observed tenant's users. */
export const home = { "X-Forwarded-For": "192.0.2.10" };

export interface Watched {
  url: string;
  world: World;
  apiKeys: string[];
}

export interface Seen {
  lists: number[];
  failed: number;
  /** Statuses of sign-ins. */
  shoppers: number[];
  administrators: number[];
  isEachIn: boolean;
}

/** Several keys, each within its own limit, because with fewer samples p99 would be the worst two of them. */
const keys = 4;
const listEveryMs = 105 / keys;

const byKey = ({ tenant }: World, apiKey: string) => ({
  ...home,
  "X-Service-Tenant": tenant,
  "X-Service-Api-Key": apiKey,
});

export async function makeKeys(url: string, { tenant, sessionId }: World): Promise<string[]> {
  const headers = { ...home, "X-Service-Tenant": tenant, "X-Service-Session-Id": sessionId };
  const validTo = new Date(Date.now() + 86_400_000).toISOString();
  const make = async (_: unknown, n: number) => {
    const body = JSON.stringify({ name: `look ${n} ${Date.now()}`, validTo });
    const typed = { ...headers, "Content-Type": "application/json" };
    const sent = { method: "POST", headers: typed, body };
    return (await (await fetch(`${url}/v1/user/profile/api-keys`, sent)).json()).apiKey;
  };
  return Promise.all(Array.from({ length: keys }, make));
}

export async function statusOf(url: string, headers: Record<string, string>, body?: unknown) {
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const typed = { "Content-Type": "application/json", ...headers };
  const response = await fetch(url, { ...sent, headers: typed }).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status ?? 0;
}

/** Sends requests at a fixed rate, without waiting for the previous response. */
async function every<T>(ms: number, forMs: number, ask: () => Promise<T>): Promise<T[]> {
  const asked: Promise<T>[] = [];
  const until = performance.now() + forMs;
  for (let next = performance.now(); next < until; next += ms) {
    await pause(Math.max(0, next - performance.now()));
    asked.push(ask());
  }
  return Promise.all(asked);
}

/** Measures another tenant: 38 lists a second, a sign-in of a shopper each second, of an administrator every four. */
export async function look({ url, world, apiKeys }: Watched, forSeconds: number): Promise<Seen> {
  let asked = 0;
  const { tenant, login, password, site, shopper } = world;
  const headers = { ...home, "X-Service-Tenant": tenant, "X-Service-Site": site };
  const asShopper = { ...headers, Authorization: `Bearer ${shopper.anonymousToken}` };
  const shopperLogin = { login: shopper.login, password: shopper.password };
  const ms = forSeconds * 1000;
  const [lists, shoppers, administrators] = await Promise.all([
    every(listEveryMs, ms, async () => {
      asked += 1;
      const headersOfKey = byKey(world, apiKeys[asked % keys] ?? "");
      const since = performance.now();
      const status = await statusOf(`${url}/v1/user/list?limit=20`, headersOfKey);
      return { ms: performance.now() - since, status };
    }),
    every(1000, ms, () => statusOf(`${url}/v1/customer/login/token`, asShopper, shopperLogin)),
    every(4000, ms, () =>
      statusOf(`${url}/v1/user/session-login`, headers, { login, tenant, password }),
    ),
  ]);
  return {
    lists: lists.map((one) => one.ms),
    failed: lists.filter(({ status }) => status !== 200).length,
    shoppers,
    administrators,
    isEachIn: [...shoppers, ...administrators].every(isIn),
  };
}

const isIn = (status: number) => status === 200;
export const share = (all: number[]) => `${all.filter(isIn).length} of ${all.length}`;

export function p99Of(times: number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}
