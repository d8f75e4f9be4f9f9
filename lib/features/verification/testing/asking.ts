import { setTimeout as pause } from "node:timers/promises";
import { sendTo } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession } from "@/lib/setup/testing/factories";
import { createClient, type Verifier } from "@/sdk/src/index.js";
import { makeVerifier } from "./verifying";

/** The response to one of many requests. */
export interface Asked {
  startedAt: number;
  answeredAt: number;
  status: number;
}

/** Sends requests in a loop until it is stopped. */
export async function keepAsking(
  url: string,
  headers: Record<string, string>,
  asked: Asked[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const startedAt = performance.now();
    const { status, body } = await fetch(`${url}/v1/user/profile`, { headers });
    await body?.cancel();
    asked.push({ startedAt, answeredAt: performance.now(), status });
  }
}

/** The same for a verifier in another service, which answers from its cache: 403 for an invalid credential. */
export async function keepVerifying(
  verifier: Verifier,
  apiKey: string,
  asked: Asked[],
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const startedAt = performance.now();
    const verified = verifier.verify({ apiKey, wholeTenant: true });
    const status = await verified.then(({ active }) => (active ? 200 : 403)).catch(() => 503);
    asked.push({ startedAt, answeredAt: performance.now(), status });
    // Yields, because answers from the cache would starve the other loops.
    await pause(5);
  }
}

/** A verifier at each of the processes. */
export async function makeVerifiers(
  tenant: string,
  [first, second]: [string, string],
): Promise<[Verifier, Verifier]> {
  const apiKey = (await makeVerifier(tenant))["X-Service-API-Key"];
  const at = (url: string) => createClient({ url, tenant }).verifier({ apiKey });
  return [at(first), at(second)];
}

/** A session, an API key and a bearer token of a user. */
export async function credentialsOf(
  url: string,
  tenant: string,
  userId: string,
): Promise<Record<string, string>[]> {
  const session = await makeSession(tenant, userId);
  const key = await makeApiKey(tenant, userId);
  const token = await sendTo(url)("POST /v1/user/portal-token", session);
  const bearer = `Bearer ${token.body.accessToken}`;
  return [session.headers, key.headers, { "X-Service-Tenant": tenant, Authorization: bearer }];
}
