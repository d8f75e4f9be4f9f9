import type { Page } from "@playwright/test";
import { atRest } from "./support/at-rest";
import { beCounted } from "./support/counted";
import { nobody, signInToOwnTenant } from "./support/own-tenant";
import { credentialsOf, expect, signedIn, test } from "./support/portal";

const presets = ["1h", "6h", "24h", "7d", "30d", "90d"];
const counts = "/v1/api-metrics/metrics/timeserie-counts";

/** All that can be read on the page, also within pictures. What draws a chart decides the order of its ticks. */
const saidBy = (page: Page) =>
  page.locator("main").evaluate((main) => {
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT, (node) =>
      node.parentElement?.checkVisibility({ visibilityProperty: true })
        ? NodeFilter.FILTER_ACCEPT
        : NodeFilter.FILTER_REJECT,
    );
    const words: string[] = [];
    while (walker.nextNode()) words.push(walker.currentNode.textContent ?? "");
    return words.filter((text) => text.trim() !== "").sort();
  });

/** Keeps scripts from arriving until they are let go: what is on the page then is what the server drew. */
async function holdScripts(page: Page) {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/\/_next\/.*\.js/, async (route) => {
    await gone;
    await route.continue();
  });
  return letGo;
}

const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Kathmandu"];

test.describe("what the page says first is what it says when it is idle", () => {
  for (const zone of zones)
    test.describe(zone, () => {
      test(`in ${zone}, for each preset, and nothing is asked for twice`, async ({
        browser,
        world,
        baseURL,
      }) => {
        const { tenant } = credentialsOf(world, "adm");
        // Of its own: what is looked at is also a page that has not come alive yet.
        const context = await browser.newContext({
          ...(baseURL === undefined ? {} : { baseURL }),
          timezoneId: zone,
          storageState: signedIn("adm"),
        });
        const page = await context.newPage();
        // Browsers call some zones by an older name.
        const own = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
        const value = encodeURIComponent(own);
        await context.addCookies([{ name: "gatehouse-zone", value, url: baseURL ?? "" }]);
        await beCounted(page, tenant);
        for (const preset of presets) {
          const letGo = await holdScripts(page);
          const asked: string[] = [];
          page.on("request", (request) => asked.push(new URL(request.url()).pathname));
          await page.goto(`/t/${tenant}/metrics?range=${preset}`, { waitUntil: "commit" });
          await expect(page.getByText(/^As of/)).toBeVisible();
          // The document arrives in parts: all of it is what the page says first.
          await page.waitForFunction(() => document.readyState !== "loading");
          const first = await saidBy(page);
          const name = own.split("/").at(-1)?.replace("_", " ") ?? own;
          expect(first.filter((text) => text.endsWith(` ${name}`))).toHaveLength(2);
          letGo();
          await page.waitForLoadState("networkidle");
          await atRest(page);
          expect(await saidBy(page), preset).toEqual(first);
          expect(asked.filter((path) => path === counts)).toEqual([]);
          await page.unrouteAll();
        }
        await context.close();
      });
    });
});

test.describe("a browser whose zone is not known", () => {
  test.use({ storageState: nobody });

  test("sees times in UTC, and that they are", async ({ page }) => {
    await page.addInitScript(() => {
      const { resolvedOptions } = Intl.DateTimeFormat.prototype;
      Intl.DateTimeFormat.prototype.resolvedOptions = function (this: Intl.DateTimeFormat) {
        return { ...resolvedOptions.call(this), timeZone: "Etc/Unknown" };
      };
    });
    const tenant = await signInToOwnTenant(page, "zone");
    await beCounted(page, tenant);
    for (const range of ["24h", "7d"]) {
      await page.goto(`/t/${tenant}/metrics?range=${range}`);
      await expect(page.getByRole("img", { name: "Calls over time" })).toBeVisible();
      await expect(page.getByText(/The time zone of your browser is not known/)).toBeVisible();
      await expect(page.getByRole("button", { name: / · UTC$/ })).toBeVisible();
    }
    await page.getByRole("button", { name: "Add marker" }).click();
    await expect(page.getByRole("dialog").getByLabel("When (UTC time)")).toBeVisible();
  });
});

test.describe("a browser that signs in", () => {
  test.use({ storageState: nobody, timezoneId: "Asia/Kathmandu" });

  test("has its zone on the first page of metrics", async ({ page }) => {
    const tenant = await signInToOwnTenant(page, "zone-new");
    await beCounted(page, tenant);
    await page.getByRole("link", { name: "Metrics", exact: true }).click();
    await expect(page.getByRole("button", { name: / · Kath?mandu$/ })).toBeVisible();
    await expect(page.getByText(/^As of .* Kath?mandu/)).toBeVisible();
  });
});
