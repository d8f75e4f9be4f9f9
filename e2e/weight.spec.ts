import type { Page } from "@playwright/test";
import { fetchNothingAhead } from "./support/ahead";
import { credentialsOf, expect, signedIn, test } from "./support/portal";

test.use({ storageState: async ({}, use) => use(signedIn("um")) });

/** KiB of JavaScript over the wire, headers included, until the network is quiet. */
const budgets: [string, (tenant: string) => string, number][] = [
  ["sign-in", () => "/sign-in", 160],
  ["home", (tenant) => `/t/${tenant}`, 200],
  ["user details", (tenant) => `/t/${tenant}/me`, 200],
  ["users", (tenant) => `/t/${tenant}/users`, 200],
  ["reference", () => "/docs", 200],
  ["guide", () => "/docs/guides/quick-start", 150],
];

/** Transferred bytes of each script, by address. */
async function scriptsOf(page: Page, path: string): Promise<Map<string, number>> {
  const wire = await page.context().newCDPSession(page);
  await wire.send("Network.enable");
  const asked = new Map<string, string>();
  const scripts = new Map<string, number>();
  wire.on(
    "Network.responseReceived",
    ({ type, requestId, response }) => type === "Script" && asked.set(requestId, response.url),
  );
  wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const url = asked.get(requestId);
    if (url !== undefined) scripts.set(url, encodedDataLength);
  });
  await fetchNothingAhead(page);
  await page.goto(path, { waitUntil: "networkidle" });
  return scripts;
}

function kibOf(sizes: Iterable<number>, what = "KiB"): number {
  const kib = [...sizes].reduce((sum, bytes) => sum + bytes, 0) / 1024;
  test.info().annotations.push({ type: what, description: kib.toFixed(1) });
  return kib;
}

for (const [name, path, budget] of budgets) {
  test(`${name}: at most ${budget} KiB of JavaScript`, async ({ page, world }) => {
    const scripts = await scriptsOf(page, path(credentialsOf(world, "um").tenant));
    const kib = kibOf(scripts.values());
    expect(kib).toBeGreaterThan(100);
    expect(kib).toBeLessThanOrEqual(budget);
  });
}

test.describe("a user who may read metrics", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

  test("metrics: at most 210 KiB of JavaScript before the chart, and 330 with it", async ({
    page,
    world,
  }) => {
    const path = `/t/${credentialsOf(world, "adm").tenant}/metrics`;
    const scripts = await scriptsOf(page, path);
    const chart = page.getByRole("img", { name: "Calls over time" });
    await chart.locator("..").hover();
    await expect(chart.locator(".recharts-surface"), "fetched by a touch").toBeVisible();
    await page.waitForLoadState("networkidle");
    const html = await (await page.request.get(path)).text();
    const first = [...scripts]
      .filter(([url]) => html.includes(new URL(url).pathname))
      .map(([, bytes]) => bytes);
    expect(first.length).toBeLessThan(scripts.size);
    expect(kibOf(first, "KiB before the chart")).toBeLessThanOrEqual(210);
    expect(kibOf(scripts.values(), "KiB with it")).toBeLessThanOrEqual(330);
  });
});
