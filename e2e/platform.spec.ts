import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeStoreFolder, type Product, startProduct } from "@/lib/server/testing/product";
import { actWhenAwake } from "./support/awake";
import { expectMenu, expectPalette } from "./support/entries";
import { expectSoundInEveryLook } from "./support/looks";
import { expectLanguages } from "./support/no-english";
import { nobody } from "./support/own-tenant";
import { expect, expectAccessible, fillSignIn, test as portalTest } from "./support/portal";
import { printedPassword } from "./support/printed-password";

const support = { tenant: "platform", login: "system" };
const own = "eleven patient harbours at dawn";
const entries = [
  "Home",
  "Metrics",
  "Alerts",
  "Requests",
  "Users",
  "API keys",
  "Access review",
  "Your details",
  "Webhooks",
  "Streams",
  "Audit",
  "Settings",
  "Tenants",
];

interface Platform {
  folder: string;
  product: Product;
}

/** A product without the demo: its first run creates only one user of the platform. */
const test = portalTest.extend<object, { platform: Platform }>({
  platform: [
    async ({}, use) => {
      const folder = makeStoreFolder();
      const product = await startProduct(folder, {
        DATABASE_URL: "",
        DEMO: "off",
        RATE_LIMITS: "off",
      });
      await use({ folder, product });
      await product.stop();
      rmSync(folder, { recursive: true });
    },
    // The start is not part of the first test's time.
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: ({ platform }, use) => use(platform.product.url.replace("127.0.0.1", "localhost")),
});

const stateOf = ({ folder }: Platform) => join(folder, "system.json");

test.describe.configure({ mode: "serial" });

test("the printed one-time password works once for support, and must be changed", async ({
  page,
  platform,
}) => {
  await page.goto("/sign-in?next=/platform/tenants");
  await fillSignIn(page, { ...support, password: await printedPassword(platform.product) });
  await expect(page.getByRole("heading", { name: "Set your own password" })).toBeVisible();
  await page.getByLabel("New password").fill(own);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page).toHaveURL(/\/platform\/tenants$/);
  await expect(page.getByRole("table", { name: /^Tenants/ }).locator("tbody tr")).toHaveCount(1);
  await page.context().storageState({ path: stateOf(platform) });
});

test.describe("support", () => {
  test.use({
    storageState: ({ platform }, use) => use(stateOf(platform)),
    tolerated: [/status of 409/],
  });

  test("reads the tenants in German, and from right to left", async ({
    page,
    context,
    baseURL,
  }) => {
    await page.goto("/platform/tenants");
    await expectLanguages(page, context, baseURL, ["Platform"]);
  });

  test("creates a production tenant, whose administrator signs in by the link that is shown once", async ({
    page,
    browser,
    baseURL,
  }) => {
    await page.goto("/platform/tenants");
    await page.getByRole("button", { name: "Create tenant" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Tenant id").fill("platform");
    await dialog.getByLabel("Tenant name").fill("Harbour Goods");
    await dialog.getByLabel("Administrator's login").fill("harriet");
    await dialog.getByLabel("Administrator's name").fill("Harriet Example");
    await dialog.getByLabel("Administrator's e-mail address").fill("harriet@harbour.example");
    await dialog.getByRole("button", { name: "Create tenant" }).click();
    await expect(
      dialog.getByLabel("Tenant id"),
      "an id that is taken is reported at its field",
    ).toHaveAttribute("aria-invalid", "true");
    await dialog.getByLabel("Tenant id").fill("harbour");
    await dialog.getByRole("button", { name: "Create tenant" }).click();
    await expect(dialog).toContainText("Tenant harbour created");
    await expectAccessible(page);
    const link = (await dialog.locator("pre").textContent()) ?? "";
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect(page.getByRole("row").filter({ hasText: "harbour" })).toContainText(
      "Harbour Goodsproduction",
    );
    expect(await page.content(), "the link is nowhere afterwards").not.toContain(
      link.split("#")[1],
    );

    const theirs = await browser.newContext({ baseURL: baseURL ?? "", storageState: nobody });
    await actWhenAwake(theirs);
    const other = await theirs.newPage();
    await other.goto(link);
    await other.getByLabel("Password", { exact: true }).fill("a harbour of our own");
    await other.locator("button[type=submit]").click();
    await expect(other.getByRole("main")).toContainText("harriet");
    await theirs.close();
  });

  test("every entry of the menu leads to its page", async ({ page }) => {
    await page.goto("/t/platform");
    await expectMenu(page, entries);
  });

  test("every entry of the palette leads to its page", async ({ page }) => {
    await page.goto("/t/platform");
    await expectPalette(page, entries, { isFollowed: true });
  });

  test("tenants, and the dialog: axe finds nothing, the console is empty, nothing overflows", async ({
    page,
  }) => {
    await page.goto("/platform/tenants", { waitUntil: "networkidle" });
    await expect(page.getByRole("cell", { name: "harbour", exact: true })).toBeVisible();
    await expectSoundInEveryLook(page);
    await page.getByRole("button", { name: "Create tenant" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectSoundInEveryLook(page);
  });
});
