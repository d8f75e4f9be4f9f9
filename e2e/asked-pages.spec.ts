import type { Page } from "@playwright/test";
import { credentialsOf, expect, openAndRest, signedIn, test } from "./support/portal";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

/** The paths of the pages that this one prefetches. */
function pagesAskedBy(page: Page): Set<string> {
  const asked = new Set<string>();
  page.on("request", (request) => {
    if (request.headers().rsc !== undefined) asked.add(new URL(request.url()).pathname);
  });
  return asked;
}

for (const path of ["", "/users", "/alerts", "/requests", "/sites/a-one/previews"])
  test(`an idle page has requested no other page: ${path || "home"}`, async ({ page, world }) => {
    const asked = pagesAskedBy(page);
    await openAndRest(page, `/t/${credentialsOf(world, "adm").tenant}${path}`);
    expect([...asked]).toEqual([]);
  });

test("a link under the pointer, the focus or a finger prefetches only its page", async ({
  page,
  world,
}) => {
  const home = `/t/${credentialsOf(world, "adm").tenant}`;
  const asked = pagesAskedBy(page);
  await openAndRest(page, `${home}/users`);
  const menu = page.getByRole("navigation", { name: "Main" });
  const link = (name: string) => menu.getByRole("link", { name, exact: true });
  await link("Audit").hover();
  await expect.poll(() => [...asked]).toEqual([`${home}/audit`]);
  await link("Settings").focus();
  await expect.poll(() => [...asked]).toEqual([`${home}/audit`, `${home}/settings`]);
  await link("Alerts").dispatchEvent("touchstart");
  await expect
    .poll(() => [...asked])
    .toEqual([`${home}/audit`, `${home}/settings`, `${home}/alerts`]);
  await page.locator("[data-row]").first().hover();
  const user = (await page.locator("[data-row]").first().getAttribute("href")) ?? "";
  await expect.poll(() => [...asked].at(-1)).toBe(new URL(user, page.url()).pathname);
  expect(asked.size).toBe(4);
});
