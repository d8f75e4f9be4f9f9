import type { Page } from "@playwright/test";
import { beCounted } from "./support/counted";
import { enterOwnTenant, nobody } from "./support/own-tenant";
import { expect, expectAccessible, test } from "./support/portal";

test.use({ storageState: async ({}, use) => use(nobody) });

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** Asserts that the figures start within the first screen. */
async function expectFiguresInView(page: Page, size: { width: number; height: number }) {
  await page.setViewportSize(size);
  const figures = page.getByRole("region", { name: "Last 24 hours" });
  const top = async () => (await figures.boundingBox())?.y ?? Number.POSITIVE_INFINITY;
  await expect.poll(top, `${size.width} px`).toBeLessThan(size.height - 100);
}

test("41 expiring keys are one line, and a notice of another user's change is dismissed with one click", async ({
  page,
}) => {
  const tenant = await enterOwnTenant(page, "notices");
  await beCounted(page, tenant);
  const origin = new URL(page.url()).origin;
  const headers = { Origin: origin, "X-Service-Tenant": tenant };
  const post = (path: string, data: object) => page.request.post(path, { headers, data });
  let [first, apiKey] = ["", ""];
  for (let n = 0; n < 42; n += 1) {
    const body = { name: `worker ${n}`, validTo: inDays(3 + n / 5) };
    const made = await post("/v1/user/profile/api-keys", body);
    expect(made.status(), await made.text()).toBe(200);
    apiKey = (await made.json()).apiKey;
    first ||= apiKey;
  }
  expect((await post("/v1/user/api-keys/report-leak", { apiKey })).status()).toBe(202);
  await page.reload();
  await expect(
    page.getByRole("region", { name: "First steps" }),
    "alone before the first call",
  ).toBeVisible();
  await expect(page.getByRole("region", { name: "Last 24 hours" })).toBeHidden();
  const called = await fetch(`${origin}/v1/user/profile`, {
    headers: { "X-Service-Tenant": tenant, "X-Service-API-Key": first },
  });
  expect(called.status).toBe(200);
  await expect(page.getByRole("region", { name: "Last 24 hours" })).toBeVisible();
  const notices = page.getByRole("region", { name: "Notices" });
  await expect(notices).toContainText("41 of your keys expire within 14 days, the first in 3 days");
  await expect(notices.getByRole("listitem"), "own actions are no notices").toHaveCount(5);
  await expectAccessible(page);
  await expectFiguresInView(page, { width: 1440, height: 900 });
  await expectFiguresInView(page, { width: 390, height: 844 });
  await notices.getByRole("button", { name: "Dismiss all" }).click();
  await expect(notices).not.toContainText("API key reported as leaked");
  await notices.getByRole("link", { name: "Show all", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Notices" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(4);
  await expectAccessible(page);
});
