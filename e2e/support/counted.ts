import { expect, type Page } from "@playwright/test";

/** Makes a call of the tenant and waits until it is counted, so that there is something to see. */
export async function beCounted(page: Page, tenant: string): Promise<void> {
  const headers = { "X-Service-Tenant": tenant };
  await page.request.get("/v1/user/session", { headers });
  const domains = async () =>
    (await (await page.request.get("/v1/api-metrics/metadata", { headers })).json()).domains;
  await expect.poll(domains).toContain("user");
}
