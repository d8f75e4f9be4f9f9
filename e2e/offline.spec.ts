import type { BrowserContext, Page } from "@playwright/test";
import { fetchNothingAhead } from "./support/ahead";
import {
  credentialsOf,
  expect,
  expectAccessible,
  openAndRest,
  signedIn,
  test,
} from "./support/portal";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });
test.use({ tolerated: [/ERR_INTERNET_DISCONNECTED/] });

interface Visit {
  name: string;
  path: string;
  /** The action while offline: a search, a sort, a filter, a tab, a dialog. */
  act: (page: Page) => Promise<void>;
  /** Waits for the result, which appears at once or when the connection is back. */
  shows: (page: Page) => Promise<void>;
}

const opens = (name: string | RegExp) => ({
  act: (page: Page) => page.getByRole("button", { name }).first().click(),
  shows: (page: Page) => expect(page.getByRole("dialog")).toBeVisible(),
});

const visits: Visit[] = [
  {
    name: "users, a search",
    path: "/users",
    act: (page) => page.getByRole("searchbox").fill("low"),
    shows: (page) => expect(page.getByRole("table", { name: "Users" })).toBeVisible(),
  },
  {
    name: "users, another order",
    path: "/users",
    act: (page) => page.getByRole("button", { name: "Login" }).click(),
    shows: (page) => expect(page.locator("th[aria-sort=ascending]")).toBeVisible(),
  },
  { name: "users, an invitation", path: "/users", ...opens("Invite user") },
  {
    name: "API keys, a filter",
    path: "/keys",
    act: (page) => page.getByRole("button", { name: "Never used" }).click(),
    shows: (page) =>
      expect(page.getByRole("button", { name: "Never used", pressed: true })).toBeVisible(),
  },
  {
    name: "metrics, another range",
    path: "/metrics",
    act: (page) => page.getByRole("button", { name: /^Group/ }).click(),
    shows: (page) => expect(page.getByRole("menu")).toBeVisible(),
  },
  {
    name: "previews, a new one",
    path: "/sites/a-one/previews",
    ...opens("Create preview"),
  },
  {
    name: "the audit trail",
    path: "/audit",
    act: (page) => page.keyboard.press("?"),
    shows: (page) => expect(page.getByRole("dialog", { name: /shortcuts/i })).toBeVisible(),
  },
  { name: "webhooks, a new one", path: "/webhooks", ...opens("Create webhook") },
  { name: "settings, a site", path: "/settings", ...opens("Add site") },
  { name: "your details, a key", path: "/me", ...opens("Generate key") },
  {
    name: "home, the palette",
    path: "",
    act: (page) => page.keyboard.press("Control+k"),
    shows: (page) => expect(page.getByPlaceholder(/Search pages/)).toBeVisible(),
  },
];

/** Reconnects the page, and waits for a response that the view needs. */
async function reconnect(
  { page, context }: { page: Page; context: BrowserContext },
  answer = "/healthz",
): Promise<void> {
  const reached = page.waitForResponse((one) => one.ok() && one.url().includes(answer));
  await context.setOffline(false);
  await reached;
}

for (const { name, path, act, shows } of visits)
  test(`without a connection ${name}: the view stays, and recovers by itself`, async ({
    page,
    context,
    world,
  }) => {
    await openAndRest(page, `/t/${credentialsOf(world, "adm").tenant}${path}`);
    const heading = page.locator("main h1");
    const title = await heading.textContent();
    await context.setOffline(true);
    await expect(page.getByText(/No connection\. The data is as of/)).toBeVisible();
    await act(page);
    await shows(page);
    await expectAccessible(page);
    await reconnect({ page, context });
    await expect(page.getByText(/No connection/)).toBeHidden();
    await shows(page);
    await expect(heading).toHaveText(title ?? "");
  });

test("a search while offline shows its result after reconnecting", async ({
  page,
  context,
  world,
}) => {
  await openAndRest(page, `/t/${credentialsOf(world, "adm").tenant}/users`);
  const rows = page.getByRole("table", { name: "Users" }).locator("tbody tr");
  const before = await rows.count();
  await context.setOffline(true);
  await page.getByRole("searchbox").fill("no such person");
  await expect(page.getByText(/Not updated: the service cannot be reached/)).toBeVisible();
  await expect(rows).toHaveCount(before);
  await reconnect({ page, context }, "q=no");
  await expect(page.getByText("No users match")).toBeVisible();
});

test("a page that is opened while offline loads after reconnecting", async ({
  page,
  context,
  world,
}) => {
  await openAndRest(page, `/t/${credentialsOf(world, "adm").tenant}/users`);
  await context.setOffline(true);
  await expect(page.getByText(/No connection/)).toBeVisible();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Audit" }).click();
  await expect(page.getByRole("table", { name: "Users" })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: "Audit" })).toBeVisible();
});

test.describe("code that fails to load", () => {
  test.use({ tolerated: [/ERR_FAILED|status of 404|MIME type/] });
  test.beforeEach(({ page }) => fetchNothingAhead(page));
  const chunks = "**/_next/static/chunks/**";

  test("is retried automatically and by a button, and the page stays", async ({ page, world }) => {
    await page.goto(`/t/${credentialsOf(world, "adm").tenant}/me`);
    await page.route(chunks, (route) => route.abort());
    await page.getByRole("button", { name: "Generate key" }).click();
    const notice = page.getByRole("alert").filter({ hasText: "has not loaded" });
    await expect(notice).toBeVisible();
    await expectAccessible(page);
    await expect(page.getByRole("heading", { name: "API keys", exact: true })).toBeVisible();
    // Automatic retries may run at any time, so no attempt completes before the button is pressed.
    let asked = 0;
    let press: () => void = () => undefined;
    const pressed = new Promise<void>((resolve) => {
      press = resolve;
    });
    await page.route(chunks, async (route) => {
      asked += 1;
      await pressed;
      await route.continue();
    });
    await notice.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => asked).toBeGreaterThan(0);
    press();
    await expect(page.getByRole("dialog", { name: "Generate API key" })).toBeVisible();
    await expect(notice).toBeHidden();
  });

  test("because a newer build replaced it, offers a reload that loses nothing", async ({
    page,
    world,
  }) => {
    await page.goto(`/t/${credentialsOf(world, "adm").tenant}/settings`);
    await page.getByLabel("Name", { exact: true }).fill("A name that is not saved yet");
    await expect(page.getByText("Draft kept")).toBeVisible();
    await page.route(chunks, (route) => route.fulfill({ status: 404, body: "" }));
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("?");
    await expect(page.getByText("A new version is available")).toBeVisible();
    await expectAccessible(page);
    await page.unroute(chunks);
    await page.getByRole("button", { name: "Reload page" }).click();
    await expect(page.getByText("A new version is available")).toBeHidden();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue(
      "A name that is not saved yet",
    );
  });
});
