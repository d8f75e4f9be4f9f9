import { setTimeout as pause } from "node:timers/promises";
import type { APIResponse, Page } from "@playwright/test";
import { expect } from "./portal";

let count = 0;

/** A login that is unique among tests, which run in several processes. */
export const newLogin = (what: string) =>
  [what, Date.now().toString(36), process.pid.toString(36), ++count].join("-");

interface ServiceCall {
  tenant: string;
  /** The body, sent as JSON. */
  data?: unknown;
  headers?: Record<string, string>;
}

/** Calls the service as the portal's own page does: with its cookie, from the same origin. */
export async function callAs(
  page: Page,
  operation: string,
  { tenant, data, headers }: ServiceCall,
): Promise<APIResponse> {
  const [method = "GET", path = "/"] = operation.split(" ");
  return page.request.fetch(path, {
    method,
    headers: { "X-Service-Tenant": tenant, "Sec-Fetch-Site": "same-origin", ...headers },
    ...(data === undefined ? {} : { data }),
  });
}

export async function createServiceUser(
  page: Page,
  tenant: string,
  roleIds = ["portal.default"],
): Promise<{ id: string; login: string }> {
  const login = newLogin("service");
  const data = { login, name: `Service ${login}`, roles: { roleIds } };
  const answer = await callAs(page, "POST /v1/user/service-users", { tenant, data });
  expect(answer.status()).toBe(201);
  return { id: (await answer.json()).id, login };
}

/** Calls an operation; retries after a 503 with Retry-After, which the service sends when it is overloaded by parallel tests. */
export async function fetchAdmitted(...asked: Parameters<typeof fetch>): Promise<Response> {
  const answer = await fetch(...asked);
  const retryAfter = answer.headers.get("retry-after");
  if (answer.status !== 503 || retryAfter === null) return answer;
  await answer.body?.cancel();
  await pause(Number(retryAfter) * 1000);
  return fetchAdmitted(...asked);
}
