import { credentialsOf, expect, signedIn, test } from "./support/portal";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

test("a print shows the text of a page without its controls", async ({ page, world }) => {
  const { tenant } = credentialsOf(world, "adm");
  const main = page.getByRole("main");
  for (const path of ["", "/users", "/metrics", "/audit", "/requests", "/keys", "/me"])
    await test.step(path || "home", async () => {
      await page.emulateMedia({ media: "screen" });
      await page.goto(`/t/${tenant}${path}`, { waitUntil: "networkidle" });
      if (path !== "") await expect(main.locator("button").first()).toBeVisible();
      await page.emulateMedia({ media: "print" });
      await expect(main.getByRole("heading", { level: 1 })).toBeVisible();
      const pressed = main.locator("button:not(td *, th *, [data-prints] *)");
      await expect(pressed.filter({ visible: true })).toHaveCount(0);
      await expect(page.getByRole("banner")).toBeHidden();
      await expect(page.getByRole("link", { name: "Skip to content" })).toBeHidden();
    });
  await page.goto(`/t/${tenant}/users`);
  await expect(page.locator("tbody tr").first()).toBeVisible();
  await expect(page.getByRole("searchbox")).toBeHidden();
  await expect(main.getByRole("checkbox")).toHaveCount(0);
});
