import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, signedIn, test } from "./support/portal";

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

interface World {
  tenants: { A: string };
  sites: Record<string, string>;
}

const customersOf = (world: World) => `/t/${world.tenants.A}/sites/${world.sites.A1}/customers`;
const newLogin = () => `staff-${randomBytes(5).toString("hex")}@example.com`;

test("staff creates a customer, and edits the masked profile", async ({ page, world }) => {
  await page.goto(customersOf(world));
  await page.getByRole("button", { name: "Create customer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Login").fill(newLogin());
  await dialog.getByLabel("First name").fill("Berta");
  await dialog.getByRole("button", { name: "Create customer" }).click();
  await expect(page.getByRole("main").getByRole("heading", { name: "B•••" })).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Edit profile" }).click();
  await dialog.getByLabel("Last name").fill("Quist");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("main").getByRole("heading", { name: "B••• Q•••" })).toBeVisible();
});

test("a file is imported, its failed lines are shown, and the customers are exported", async ({
  page,
  world,
}) => {
  const login = newLogin();
  const text = `${JSON.stringify({ login })}\n${JSON.stringify({ login: 7 })}\n`;
  await page.goto(customersOf(world));
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Import customers" }).click();
  const dialog = page.getByRole("dialog");
  await dialog
    .getByLabel("File")
    .setInputFiles({ name: "c.ndjson", mimeType: "text/plain", buffer: Buffer.from(text) });
  await dialog.getByRole("button", { name: "Import customers" }).click();
  await expect(dialog.getByRole("status")).toHaveText("Done: 1 of 2 created, 1 failed");
  await expect(dialog.getByRole("row", { name: /^2 \/login/ })).toBeVisible();
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Export customers" }).click();
  await dialog.getByLabel("Reason").fill("Ticket 4711");
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Export customers" }).click();
  const saved = await readFile(await (await downloading).path(), "utf8");
  expect(saved).toContain(login);
});
