import type { Page } from "@playwright/test";
import { beCounted } from "./support/counted";
import {
  documentArrived,
  expectFinalFirstPaint,
  holdScripts,
  stopClock,
  untilIdle,
} from "./support/first-paint";
import { pagesOfOne } from "./support/one-of-each";
import { makeOwnTenant, nobody, signInToOwnTenant } from "./support/own-tenant";
import { credentialsOf, expect, signedIn, test } from "./support/portal";
import { callAs } from "./support/service-calls";

const presets = ["1h", "6h", "24h", "7d", "30d", "90d"];
const counts = "/v1/api-metrics/metrics/timeserie-counts";

/** All readable text of the page, also within pictures; sorted, because the order of ticks depends on how a chart is drawn. */
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

const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Kathmandu"];

test.describe("the first paint has the same text as the idle page", () => {
  for (const [index, zone] of zones.entries())
    test.describe(zone, () => {
      // Each preset in one of the zones only: the tests of lib cover all combinations.
      const shown = presets.filter((_, at) => at % zones.length === index);
      test(`in ${zone}, for ${shown.join(" and ")}, and nothing is requested twice`, async ({
        browser,
        world,
        baseURL,
      }) => {
        const { tenant } = credentialsOf(world, "adm");
        // A separate context, because the page is also checked before its scripts run.
        const context = await browser.newContext({
          ...(baseURL === undefined ? {} : { baseURL }),
          timezoneId: zone,
          storageState: signedIn("adm"),
        });
        const page = await context.newPage();
        // Browsers use older names for some zones.
        const own = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
        const value = encodeURIComponent(own);
        await context.addCookies([{ name: "gatehouse-zone", value, url: baseURL ?? "" }]);
        await beCounted(page, tenant);
        await stopClock(page);
        for (const preset of shown) {
          const letGo = await holdScripts(page);
          const asked: string[] = [];
          page.on("request", (request) => asked.push(new URL(request.url()).pathname));
          await page.goto(`/t/${tenant}/metrics?range=${preset}`, { waitUntil: "commit" });
          await expect(page.getByText(/^As of/)).toBeVisible();
          await documentArrived(page);
          const first = await saidBy(page);
          const name = own.split("/").at(-1)?.replace("_", " ") ?? own;
          expect(first.filter((text) => text.endsWith(` ${name}`))).toHaveLength(2);
          letGo();
          await untilIdle(page);
          await expect.poll(() => saidBy(page), preset).toEqual(first);
          expect(asked.filter((path) => path === counts)).toEqual([]);
          await page.unrouteAll();
        }
        await context.close();
      });
    });
});

/** Two readers who differ in everything: language, zone, theme, width and menu. */
const readers = [
  { language: "en", zone: "Europe/Berlin", colorScheme: "light", width: 1280, menu: "icons" },
  { language: "de", zone: "America/New_York", colorScheme: "dark", width: 390, menu: "open" },
] as const;

/** Every second page is for the second reader. */
const mainPages = [
  "",
  "/me",
  "/users",
  "/keys",
  "/users/{user}",
  "/users/{user}/activity",
  "/users/{user}/api-keys",
  "/users/{user}/access",
  "/requests",
  "/audit",
  "/alerts",
  "/webhooks",
  "/settings",
  "/sites/shop/releases",
  "/sites/shop/customers",
  "/sites/shop/previews",
  "/notices",
];

test.describe("the layout of every main page before scripts run", () => {
  test.use({ storageState: nobody });

  test("is the same when the page is idle, in two languages, zones, themes and widths", async ({
    page,
    browser,
    baseURL,
  }) => {
    const tenant = await makeOwnTenant(page, "paint");
    const [webhook, stream, alert, , request] = await pagesOfOne(page, tenant);
    const headers = { "X-Service-Site": "shop" };
    const data = { key: "home", configuration: { title: "Home", locales: ["en"] } };
    await callAs(page, "POST /pim/preview", { tenant, data, headers });
    const preview = `/t/${tenant}/sites/shop/previews/home`;
    const ofOne = [webhook, stream, alert, preview, request, `${preview}/history`].map(String);
    const [{ id: user }] = await (await callAs(page, "GET /v1/user/list", { tenant })).json();
    const storageState = await page.context().storageState();
    const paths = mainPages.map((path) => `/t/${tenant}${path.replace("{user}", user)}`);
    for (const [index, { language, zone, colorScheme, width, menu }] of readers.entries()) {
      const viewport = { width, height: 800 };
      const given = { storageState, colorScheme, viewport, timezoneId: zone };
      const context = await browser.newContext({ ...given, ...(baseURL && { baseURL }) });
      await context.addCookies(
        Object.entries({ zone: encodeURIComponent(zone), language, sidebar: menu }).map(
          ([name, value]) => ({ name: `gatehouse-${name}`, value, url: baseURL ?? "" }),
        ),
      );
      const reader = await context.newPage();
      for (const path of [...paths, ...ofOne].filter((_, at) => at % 2 === index))
        await expectFinalFirstPaint(reader, path);
      await context.close();
    }
  });
});

test.describe("a browser with an unknown zone", () => {
  test.use({ storageState: nobody });

  test("shows times in UTC, and says so", async ({ page }) => {
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

  test("gets the first page of metrics in its zone", async ({ page }) => {
    const tenant = await signInToOwnTenant(page, "zone-new");
    await beCounted(page, tenant);
    await page.getByRole("link", { name: "Metrics", exact: true }).click();
    await expect(page.getByRole("button", { name: / · Kath?mandu$/ })).toBeVisible();
    await expect(page.getByText(/^As of .* Kath?mandu/)).toBeVisible();
  });
});
