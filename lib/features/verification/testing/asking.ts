import { setTimeout as pause } from "node:timers/promises";
import { sendTo } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSession } from "@/lib/setup/testing/factories";
import { createClient, type Verifier } from "@/sdk/src/index.js";
import { makeVerifier } from "./verifying";

/** What one of many callers was answered. */
export interface Asked {
  startedAt: number;
  answeredAt: number;
  status: number;
}

/** Asks again and again, until it is stopped. */
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

/** The same of a verifier at another service, which answers from its cache: with 403 for a credential that does not work. */
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
    // An answer from memory would leave the others no turn.
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

/** A session, a key and a bearer of somebody. */
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
