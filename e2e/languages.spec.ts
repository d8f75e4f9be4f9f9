import type { Page } from "@playwright/test";
import { fetchNothingAhead } from "./support/ahead";
import { beCounted } from "./support/counted";
import { handOffThatIsNotThere } from "./support/hand-offs";
import { cutTexts, readIn, shownTexts } from "./support/languages";
import { expectLanguages, expectNoEnglish, expectNoOverflowAt } from "./support/no-english";
import { pagesOfOne } from "./support/one-of-each";
import { enterOwnTenant, nobody } from "./support/own-tenant";
import { credentialsOf, expect, expectNoOverflow, signedIn, test } from "./support/portal";
import { callAs } from "./support/service-calls";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

/** Every page of the portal, and the pages without a session. */
const pages = [
  "/sign-in",
  "/sign-up",
  "/forgot-password",
  "/invite/{tenant}#token=svl_none",
  "/reset-password/{tenant}#token=svl_none",
  "/confirm-email/{tenant}#token=svl_none",
  `/hand-off/{tenant}#${handOffThatIsNotThere}`,
  "/t/{tenant}",
  "/t/{tenant}/notices",
  "/t/{tenant}/me",
  "/t/{tenant}/users",
  "/t/{tenant}/users/{user}",
  "/t/{tenant}/users/{user}/access",
  "/t/{tenant}/users/{user}/api-keys",
  "/t/{tenant}/users/{user}/activity",
  "/t/{tenant}/access-review",
  "/t/{tenant}/keys",
  "/t/{tenant}/metrics?range=1h",
  "/t/{tenant}/metrics?range=1h&view=table",
  "/t/{tenant}/audit",
  "/t/{tenant}/requests",
  "/t/{tenant}/webhooks",
  "/t/{tenant}/streams",
  "/t/{tenant}/settings",
  "/t/{tenant}/alerts",
  "/t/{tenant}/sites/{site}/previews",
  "/t/{tenant}/sites/{site}/previews/home",
  "/t/{tenant}/sites/{site}/previews/home/history",
  "/t/{tenant}/sites/{site}/releases",
  "/t/{tenant}/sites/{site}/customers",
];

interface Place {
  tenant: string;
  site: string;
  user: string;
}

async function visit(page: Page, path: string, { tenant, site, user }: Place): Promise<void> {
  const address = path.replace("{tenant}", tenant).replace("{site}", site).replace("{user}", user);
  await page.goto(address, { waitUntil: "networkidle" });
}

type World = Parameters<typeof credentialsOf>[0];

async function open(page: Page, world: World, path: string): Promise<void> {
  await fetchNothingAhead(page);
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  await visit(page, path, { tenant, site: "a-one", user: world.users.low?.id ?? "" });
}

for (const path of pages)
  test(`${path} in German: no text is left in English, nothing overflows`, async ({
    page,
    context,
    world,
    baseURL,
  }) => {
    await readIn(context, "de", baseURL);
    await open(page, world, path);
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await expectNoEnglish(page);
    await expectNoOverflowAt(page, [390, 1440]);
  });

test("from right to left the menu is on the right, arrows are mirrored, charts and code are not", async ({
  page,
  context,
  world,
  baseURL,
}) => {
  await readIn(context, "qps-rtl", baseURL);
  await open(page, world, "/t/{tenant}/metrics?range=1h");
  const menu = page.locator("nav").filter({ visible: true }).first();
  const width = page.viewportSize()?.width ?? 0;
  await expect.poll(async () => (await menu.boundingBox())?.x).toBeGreaterThan(width / 2);
  await expect(page.locator(".lucide-panel-left")).toHaveCSS("scale", "-1 1");
  const chart = page.getByRole("slider").first();
  await expect(chart).toHaveCSS("direction", "ltr");
  await expect(page.locator("th").first()).toHaveCSS("text-align", "start");
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog").locator("kbd").first()).toHaveCSS("direction", "ltr");
});

test("English pages load no texts", async ({ page, world }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await open(page, world, "/t/{tenant}");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  expect(asked.filter((url) => url.includes("/texts/"))).toEqual([]);
});

/** Patterns of data: names, logins, ids, permissions, addresses, times and numbers. */
const data = [
  /^[\w-]+$/,
  /@/,
  /^(Ada Example|Home page)$/,
  /^(API|GET|POST) ?\S*$/,
  /^\S+[./_]\S+(: .*)?$/,
  /^[\d.,]+ (ms|s|MiB|%)$/,
  /\d:\d\d|\d{4}/,
  // The day on an axis that crosses midnight.
  /^\d{1,2} [A-Z][a-z]{2,3}$/,
  /^[\W\d]*$/,
  /^· (Berlin|UTC)$/,
  /^\d+ minutes? ago$/,
];

async function createHome(page: Page, tenant: string): Promise<void> {
  const made = await page.request.post("/pim/preview", {
    headers: {
      "X-Service-Tenant": tenant,
      "X-Service-Site": "shop",
      "Sec-Fetch-Site": "same-origin",
      "Content-Type": "application/json",
    },
    data: '{"key":"home","configuration":{"title":"Home page","enabled":true}}',
  });
  expect(made.status(), await made.text()).toBe(201);
}

test.describe("in a separate tenant", () => {
  test.use({ storageState: nobody });

  test("a webhook, a stream, an alert, a customer and a request: no text is left in English, nothing overflows either way", async ({
    page,
    context,
    baseURL,
  }) => {
    const tenant = await enterOwnTenant(page, "details");
    for (const path of await pagesOfOne(page, tenant))
      await test.step(path, async () => {
        await page.goto(path);
        await expectLanguages(page, context, baseURL);
      });
  });

  test("a shared preview and its comments: no text is left in English, nothing overflows either way", async ({
    page,
    context,
    baseURL,
  }) => {
    const tenant = await enterOwnTenant(page, "shared");
    await createHome(page, tenant);
    const made = await callAs(page, "POST /pim/preview/home/shares", {
      tenant,
      data: { validTo: new Date(Date.now() + 3_600_000).toISOString() },
      headers: { "X-Service-Site": "shop" },
    });
    expect(made.status(), await made.text()).toBe(201);
    await page.goto((await made.json()).url);
    await expect(page.getByLabel("Comment", { exact: true })).toBeVisible();
    await page.getByLabel("Comment", { exact: true }).fill("Zu dunkel");
    await page.getByRole("button", { name: "Add comment" }).click();
    await expect(page.getByText("Zu dunkel")).toBeVisible();
    await expectLanguages(page, context, baseURL);
  });

  test("every text of the pseudo-locale is in the catalogue; from right to left none is cut off, and nothing overflows", async ({
    page,
    context,
    baseURL,
  }) => {
    const tenant = await enterOwnTenant(page, "pseudo");
    await createHome(page, tenant);
    const headers = { "X-Service-Tenant": tenant };
    const [{ id: user }] = await (await page.request.get("/v1/user/list", { headers })).json();
    await readIn(context, "qps-rtl", baseURL);
    await fetchNothingAhead(page);
    for (const path of pages)
      await test.step(path, async () => {
        await visit(page, path, { tenant, site: "shop", user });
        await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
        const outside = (await shownTexts(page)).map((one) => one.outside);
        expect(
          outside.filter((text) => !data.some((one) => one.test(text))),
          path,
        ).toEqual([]);
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 });
          await expectNoOverflow(page);
          expect(await cutTexts(page), `${path} at ${width} px`).toEqual([]);
        }
      });
  });

  test("a user who chooses German sees it at once, on the sign-in page too, and keeps text typed elsewhere", async ({
    page,
  }) => {
    const tenant = await enterOwnTenant(page, "deutsch");
    await page.goto(`/t/${tenant}/users`);
    await page.getByRole("button", { name: "Invite user" }).click();
    await page.getByRole("dialog").getByLabel("Login").fill("grace");
    await expect(page.getByText("Draft kept")).toBeVisible();
    await page.goto(`/t/${tenant}/me`);
    await page.getByLabel("Language").selectOption("de");
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await page.goto(`/t/${tenant}/users`);
    await page.getByRole("button", { name: "Benutzer einladen" }).click();
    await expect(page.getByRole("dialog").locator("input[name=login]")).toHaveValue("grace");
    await page.goto("/sign-in?add");
    await expect(page.getByRole("button", { name: "Anmelden" })).toBeVisible();
    await page.goto(`/t/${tenant}/me`);
    await page.getByLabel("Sprache").selectOption("en");
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
  });
});
