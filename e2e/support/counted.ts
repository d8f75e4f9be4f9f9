import { expect, type Page } from "@playwright/test";
import { callAs, newLogin } from "./service-calls";

/** Makes a call in the tenant and waits until it is counted, so that charts have data. */
export async function beCounted(page: Page, tenant: string): Promise<void> {
  const headers = { "X-Service-Tenant": tenant };
  await page.request.get("/v1/user/session", { headers });
  const domains = async () =>
    (await (await page.request.get("/v1/api-metrics/metadata", { headers })).json()).domains;
  await expect.poll(domains).toContain("user");
}

/** Makes the user's first call by a key and waits until it is recorded: before it, Home shows no charts. */
export async function callByKey(page: Page, tenant: string): Promise<void> {
  const validTo = new Date(Date.now() + 3_600_000).toISOString();
  const data = { name: newLogin("first-call"), validTo };
  const made = await callAs(page, "POST /v1/user/profile/api-keys", { tenant, data });
  const headers = { "X-Service-API-Key": (await made.json()).apiKey };
  await callAs(page, "GET /v1/user/session", { tenant, headers });
  const keys = async () => (await callAs(page, "GET /v1/user/profile/api-keys", { tenant })).json();
  await expect
    .poll(async () => (await keys()).some((key: { lastUsedAt?: string }) => key.lastUsedAt))
    .toBe(true);
}
