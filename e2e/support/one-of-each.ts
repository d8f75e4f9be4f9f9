import type { Page } from "@playwright/test";
import { expect } from "./portal";
import { callAs } from "./service-calls";

/** Creates one of each object with a page, at the site "shop", and returns the pages. The hosts of its webhook and stream do not exist. */
export async function pagesOfOne(page: Page, tenant: string): Promise<string[]> {
  const make = async (path: string, data: object, headers = {}) => {
    const made = await callAs(page, `POST ${path}`, { tenant, data, headers });
    expect(made.status(), await made.text()).toBe(201);
    return (await made.json()).id as string;
  };
  const url = `https://${tenant}.example/`;
  const webhook = await make("/v1/webhooks", { url, types: ["user.*"] });
  const stream = await make("/v1/audit/streams", { kind: "https", url });
  const rule = { name: "too-few", measure: "calls", threshold: 1, window: "PT1H" };
  const alert = await make("/v1/alerts", rule);
  const shop = { "X-Service-Site": "shop" };
  const customer = await make("/v1/customers", { login: "grace" }, shop);
  const logged = async (): Promise<{ id: string }[]> =>
    (await callAs(page, "GET /v1/requests?limit=1", { tenant })).json();
  await expect.poll(async () => (await logged()).length, "written a moment later").toBe(1);
  const [request] = await logged();
  return [
    `/webhooks/${webhook}`,
    `/streams/${stream}`,
    `/alerts/${alert}`,
    `/sites/shop/customers/${customer}`,
    `/requests/${request?.id}`,
  ].map((path) => `/t/${tenant}${path}`);
}
