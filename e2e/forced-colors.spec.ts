import type { Page } from "@playwright/test";
import { beCounted } from "./support/counted";
import { credentialsOf, expect, signedIn, test } from "./support/portal";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

/** The contrast of each series' colour to the page, both as painted by the browser, 1 to 21. */
const contrastsOf = (page: Page) =>
  page.evaluate(() => {
    const painter = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (!painter) throw new Error("The browser paints no canvas.");
    const lightOf = (color: string) => {
      painter.fillStyle = color;
      painter.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...painter.getImageData(0, 0, 1, 1).data]
        .map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    const ground = lightOf(getComputedStyle(document.body).backgroundColor);
    const names = [1, 2, 3, 4, 5, 6, "other"].map((name) => `--chart-${name}`);
    const look = getComputedStyle(document.documentElement);
    return names.map((name): [string, number] => {
      const light = lightOf(look.getPropertyValue(name));
      return [name, Math.max(light, ground) / Math.min(light, ground)];
    });
  });

for (const colorScheme of ["light", "dark"] as const)
  for (const theme of ["light", "dark"])
    test(`in ${colorScheme} forced colours series are distinguishable from the page: theme ${theme}`, async ({
      page,
      world,
    }) => {
      const { tenant } = credentialsOf(world, "adm");
      await beCounted(page, tenant);
      await page.emulateMedia({ colorScheme, forcedColors: "active" });
      await page.goto(`/t/${tenant}/metrics?range=1h&group=method&compare=false`);
      const line = page.locator("[data-series] path").first();
      await expect(line).toBeAttached();
      await page.evaluate((chosen) => {
        document.documentElement.dataset.theme = chosen;
      }, theme);
      for (const [name, contrast] of await contrastsOf(page))
        expect(contrast, name).toBeGreaterThan(3);
    });

test("in forced colours buttons and dialogs have borders, and selected elements an outline", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(`/t/${tenant}/users?lock=true`);
  const chosen = page.getByRole("button", { name: /^Locked/, pressed: true });
  await expect(chosen).toHaveCSS("outline-style", "solid");
  await page.getByRole("button", { name: "Invite user" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toHaveCSS("border-top-style", "solid");
  const invite = dialog.getByRole("button", { name: "Create invitation" });
  await expect(invite).toHaveCSS("border-top-style", "solid");
});
