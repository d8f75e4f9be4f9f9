import type { Page } from "@playwright/test";
import { beCounted } from "./support/counted";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { credentialsOf, expect, openAndRest, signedIn, test } from "./support/portal";

test.use(firstLook);
test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

const hourMs = 3_600_000;
const strip = (page: Page) => page.getByRole("slider", { name: "Zoomed range" });

/** The address of three hours, from a full hour, within a day. */
async function openZoomed(page: Page, tenant: string | undefined) {
  const day = (Math.floor(Date.now() / hourMs) - 24) * hourMs;
  const at = (hours: number) => new Date(day + hours * hourMs).toISOString();
  const part = { from: at(18), to: at(21), within: `${at(0)}/${at(24)}` };
  await openAndRest(page, `/t/${tenant}/metrics?${new URLSearchParams(part)}`);
  return part;
}

const asked = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

test("a zoomed chart opened by a link shows its whole range, and a window that keys move", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  const { from, to, within } = await openZoomed(page, tenant);
  await expect(strip(page)).toBeAttached();
  await expect(page.getByRole("button", { name: "Reset zoom" })).toBeVisible();
  await expectSoundInEveryLook(page);
  await strip(page).focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => asked(page, "from") ?? "").not.toBe(from);
  const moved = Date.parse(asked(page, "from") ?? "");
  expect(moved, "an earlier time").toBeLessThan(Date.parse(from));
  expect(Date.parse(asked(page, "to") ?? "") - moved, "the same length").toBe(3 * hourMs);
  expect(asked(page, "within")).toBe(within);
  await page.getByRole("slider", { name: "End of the zoom" }).focus();
  await page.keyboard.press("End");
  await expect.poll(() => asked(page, "to") ?? "").toBe(within.split("/")[1]);
  expect(Date.parse(asked(page, "to") ?? "")).toBeGreaterThan(Date.parse(to));
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/within=/);
  await expect(strip(page)).toHaveCount(0);
});

test("the pointer moves the window, and Reset zoom shows the whole range again", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  await beCounted(page, tenant);
  const { from } = await openZoomed(page, tenant);
  const grip = page.locator("[data-grip=all]");
  await grip.scrollIntoViewIfNeeded();
  const box = await grip.boundingBox();
  if (!box) throw new Error("The window is not on the page.");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x - 100, box.y + box.height / 2, { steps: 4 });
  expect(asked(page, "from"), "the charts follow when it is let go").toBe(from);
  await page.mouse.up();
  await expect.poll(() => asked(page, "from") ?? "").not.toBe(from);
  expect(Date.parse(asked(page, "from") ?? "")).toBeLessThan(Date.parse(from));
  await page.getByRole("button", { name: "Reset zoom" }).click();
  await expect(page).not.toHaveURL(/within=/);
  await expect(page.getByRole("button", { name: "Reset zoom" })).toHaveCount(0);
});
