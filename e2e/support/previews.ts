import type { Page } from "@playwright/test";
import { expect } from "./portal";

/** Creates a preview configuration and returns the path of its editor. */
export async function createPreview(
  page: Page,
  tenant: string,
  key: string,
  configuration: string,
): Promise<string> {
  const headers = {
    "X-Service-Tenant": tenant,
    "X-Service-Site": "a-one",
    "Sec-Fetch-Site": "same-origin",
    "Content-Type": "application/json",
  };
  const created = await page.request.post("/pim/preview", {
    headers,
    data: `{"key":"${key}","configuration":${configuration}}`,
  });
  expect(created.status()).toBe(201);
  return `/t/${tenant}/sites/a-one/previews/${key}`;
}

export async function storedText(page: Page, tenant: string, key: string): Promise<string> {
  const headers = { "X-Service-Tenant": tenant, "X-Service-Site": "a-one" };
  return (await page.request.get(`/pim/preview/${key}/configuration`, { headers })).text();
}
