import type { Page } from "@playwright/test";
import { credentialsOf, expect, expectAccessible, signedIn, test } from "./support/portal";

// biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the pattern.
test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

/** Makes a call of the tenant and waits until it is counted, so that there is something to see. */
async function beCounted(page: Page, tenant: string): Promise<void> {
  const headers = { "X-Service-Tenant": tenant };
  await page.request.get("/v1/user/session", { headers });
  const domains = async () => (await (await page.request.get("/v1/api-metrics/metadata", { headers })).json()).domains;
  await expect.poll(domains).toContain("user");
}

test("the page says in a sentence what its charts show, and shows the same as a table by T", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.goto(`/t/${tenant}/metrics?range=1h&group=endpoint`);
  await expect(page.getByRole("status").filter({ hasText: /calls/ })).toBeVisible();
  await expect(page.getByRole("img", { name: "Calls over time" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("t");
  await expect(page).toHaveURL(/view=table/);
  await expect(page.getByRole("table", { name: "Calls over time" })).toBeVisible();
  await expectAccessible(page);
});

test("what is chosen is in the address, and the address shows it again", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.goto(`/t/${tenant}/metrics`);
  await page.getByLabel("Group by").selectOption("endpoint");
  await page.getByLabel("Time zone").selectOption("Asia/Kathmandu");
  await page.getByLabel("Chart", { exact: true }).selectOption("bar");
  await page.getByRole("button", { name: "Last 24 h" }).click();
  await page.getByLabel("In words").fill("last 3 hours");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/range=3h/);
  await expect(page).toHaveURL(/group=endpoint/);
  await page.reload();
  await expect(page.getByRole("button", { name: "Last 3h" })).toBeVisible();
  await expect(page.getByLabel("Time zone")).toHaveValue("Asia/Kathmandu");
  await expect(page.getByLabel("Chart", { exact: true })).toHaveValue("bar");
});

test("dragging across a chart zooms, Esc goes back", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.goto(`/t/${tenant}/metrics`);
  const chart = page.getByRole("img", { name: "Calls over time" });
  const box = await chart.boundingBox();
  if (!box) throw new Error("The chart is not on the page.");
  // The server draws the chart too: it follows the pointer only when its code has arrived.
  await expect(async () => {
    await page.mouse.move(box.x + box.width * 0.5, box.y + 120);
    await page.mouse.move(box.x + box.width * 0.4, box.y + 100);
    await expect(chart.locator(".recharts-tooltip-cursor")).toHaveCount(1, { timeout: 500 });
  }).toPass();
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 100, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=.*to=/);
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/from=/);
});

test("the legend switches a series off and shows one alone, by keys too", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await page.goto(`/t/${tenant}/metrics?range=1h&group=method`);
  const get = page.getByRole("list", { name: "Series" }).getByRole("button", { name: /^GET/ });
  await expect(get).toHaveAttribute("aria-pressed", "true");
  await get.focus();
  await page.keyboard.press("Enter");
  await expect(get).toHaveAttribute("aria-pressed", "false");
  await expect(page).toHaveURL(/off=GET/);
});
