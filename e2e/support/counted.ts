import { expect, type Page } from "@playwright/test";

/** Makes a call in the tenant and waits until it is counted, so that charts have data. */
export async function beCounted(page: Page, tenant: string): Promise<void> {
  const headers = { "X-Service-Tenant": tenant };
  await page.request.get("/v1/user/session", { headers });
  const domains = async () =>
    (await (await page.request.get("/v1/api-metrics/metadata", { headers })).json()).domains;
  await expect.poll(domains).toContain("user");
}
