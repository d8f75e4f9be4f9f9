import type { Page } from "@playwright/test";
import { atRest } from "./support/at-rest";
import { boxesOf } from "./support/boxes";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { enterOwnTenant } from "./support/own-tenant";
import { expect, expectAccessible, test } from "./support/portal";
import { callAs } from "./support/service-calls";

test.use(firstLook);

const rows = (page: Page) => page.locator("[data-row]");
const peek = (page: Page) => page.getByRole("region", { name: /^Peek/ });

/** More calls a minute than any tenant of a test has, so that a check of the alert during the test changes nothing. */
const threshold = 1_000_000;

/** Two alerts of a separate tenant, and a webhook whose deliveries fail: its host does not exist. */
async function makeLists(page: Page, what: string) {
  const tenant = await enterOwnTenant(page, what);
  const post = async (path: string, data: object) => {
    const answer = await callAs(page, `POST ${path}`, { tenant, data });
    expect(answer.status(), await answer.text()).toBe(201);
    return (await answer.json()) as { id: string };
  };
  const webhook = await post("/v1/webhooks", {
    url: `https://${tenant}.example/`,
    types: ["alert.*"],
  });
  for (const name of ["Too few calls", "Too many calls"])
    await post("/v1/alerts", { name, measure: "calls", threshold, window: "PT1H" });
  const deliveries = async () => {
    const path = `GET /v1/webhooks/${webhook.id}/deliveries`;
    return (await (await callAs(page, path, { tenant })).json()).length;
  };
  await expect.poll(deliveries, "both alerts are delivered, or tried").toBe(2);
  return [`/t/${tenant}/alerts`, `/t/${tenant}/webhooks/${webhook.id}`] as const;
}

test("alerts and deliveries are walked by j and k, peeked at by Space, and opened by Enter", async ({
  page,
}) => {
  const [alerts, deliveries] = await makeLists(page, "peeks");
  for (const path of [alerts, deliveries])
    await test.step(path, async () => {
      await page.goto(path, { waitUntil: "networkidle" });
      await expect(rows(page)).toHaveCount(2);
      await atRest(page);
      await page.keyboard.press("j");
      await page.keyboard.press("j");
      await expect(rows(page).nth(1)).toBeFocused();
      await page.keyboard.press("Space");
      await expect(peek(page)).toBeVisible();
      await expect(peek(page)).toHaveAccessibleName(
        `Peek: ${await rows(page).nth(1).textContent()}`,
      );
      await expect(page.getByRole("dialog"), "Space did not open the row").toHaveCount(0);
      await expectSoundInEveryLook(page);
      await page.keyboard.press("k");
      await expect(peek(page)).toHaveAccessibleName(
        `Peek: ${await rows(page).first().textContent()}`,
      );
      await page.keyboard.press("Escape");
      await expect(peek(page)).toBeHidden();
      await expect(rows(page).first()).toBeFocused();
    });
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Delivery" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(rows(page).first()).toBeFocused();
  await page.keyboard.press("p");
  await peek(page).getByRole("button", { name: "Show all" }).click();
  await expect(page.getByRole("dialog", { name: "Delivery" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 360, height: 740 });
  const cells = page.locator("[data-cards] tbody tr").first().locator("td");
  await expect(async () => {
    const [first, fourth] = await boxesOf(cells.first(), cells.nth(3));
    expect(fourth.y, "below what heads the card").toBeGreaterThan(first.y);
  }).toPass();
  await page.setViewportSize(firstLook.viewport);
  await page.goto(alerts, { waitUntil: "networkidle" });
  await atRest(page);
  await page.keyboard.press("j");
  await expect(rows(page).first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Too few calls" })).toBeVisible();
});

test("the filters of alerts and deliveries are saved as a view, which becomes their default", async ({
  page,
}) => {
  const [alerts, deliveries] = await makeLists(page, "lists");
  const lists = [
    { path: alerts, chip: /^Firing/, query: "state=firing" },
    { path: deliveries, chip: "Failed", query: "status=failed" },
  ];
  for (const { path, chip, query } of lists)
    await test.step(path, async () => {
      await page.goto(path, { waitUntil: "networkidle" });
      await atRest(page);
      await page.getByRole("button", { name: chip }).click();
      await page.getByRole("button", { name: "Views", exact: true }).click();
      await page.getByRole("menuitem", { name: "Save as view" }).click();
      const dialog = page.getByRole("dialog", { name: "Save as view" });
      await dialog.getByLabel("Name").fill("In trouble");
      await dialog.getByLabel("Open this page with it").check();
      await dialog.getByRole("button", { name: "Save view" }).click();
      await expect(page.getByRole("button", { name: "View: In trouble" })).toBeVisible();
      await page.goto(path, { waitUntil: "networkidle" });
      await expect(page).toHaveURL(`${path}?${query}`);
      await expect(page.getByRole("button", { name: chip, pressed: true })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("button", { name: chip }).click();
      await expect(page.getByRole("button", { name: "Views", exact: true })).toBeVisible();
    });
});

test("a search finds an alert beyond the loaded pages", async ({ page }) => {
  const tenant = await enterOwnTenant(page, "search");
  const names = ["Alpha", "Beta", "Gamma"];
  for (const name of names) {
    const data = { name, measure: "calls", threshold, window: "PT1H" };
    expect((await callAs(page, "POST /v1/alerts", { tenant, data })).status()).toBe(201);
  }
  await page.clock.install();
  await page.goto(`/t/${tenant}/alerts`, { waitUntil: "networkidle" });
  await page.route("**/v1/alerts?*", (route) =>
    route.continue({ url: route.request().url().replace("limit=200", "limit=1") }),
  );
  // The list is reloaded every 15 s, from now on with one alert a page.
  await page.clock.fastForward(16_000);
  await expect(rows(page)).toHaveCount(1);
  const shown = (await rows(page).textContent()) ?? "";
  const beyond = names.filter((name) => name !== shown);
  expect(beyond).toHaveLength(2);
  for (const name of beyond) {
    await page.getByRole("searchbox").fill(name);
    await expect(rows(page)).toHaveText([name]);
  }
});
