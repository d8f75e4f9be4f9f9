import type { Page } from "@playwright/test";
import { escapeFrom } from "./at-rest";
import { expect } from "./portal";

/** The heading of the page that an entry of this name leads to. */
const headings: Record<string, RegExp> = {
  Home: /^Welcome/,
  Metrics: /^Metrics$/,
  Alerts: /^Alerts$/,
  Users: /^Users$/,
  Webhooks: /^Webhooks$/,
  Streams: /^Audit streams$/,
  "API keys": /^API keys$/,
  "Access review": /^Access review$/,
  Previews: /^Previews$/,
  Releases: /^Releases$/,
  Customers: /^Customers$/,
  Requests: /^Requests$/,
  Audit: /^Audit$/,
  Settings: /^Settings$/,
  "Your details": /./,
  Tenants: /^Tenants$/,
  Notices: /^Notices$/,
  Reference: /^API reference$/,
};

/** Entries of the palette that the menu does not have. */
const besides = ["Notices", "Reference"];

/** Asserts that an entry has opened the page that it names. */
async function expectPageOf(page: Page, label: string): Promise<void> {
  const heading = page.getByRole("main").getByRole("heading", { level: 1 });
  await expect(heading, label).toHaveText(
    headings[label] ?? "an entry that this test does not know",
  );
  await expect(heading).not.toHaveText("You don't have access to this page");
}

const linkOf = (page: Page, label: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link").filter({ hasText: label });

/** The attribute of the current page's entry. */
const current = ["aria-current", "page"] as const;

/** Asserts that the menu has exactly these entries, and that each leads to its page with status 200. */
export async function expectMenu(page: Page, entries: string[]): Promise<void> {
  const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
  await expect(links).toHaveText(entries);
  for (const label of entries) {
    const link = linkOf(page, label);
    await link.click();
    await expect(link).toHaveAttribute(...current);
    await expectPageOf(page, label);
    expect((await page.request.get(page.url())).status(), label).toBe(200);
  }
}

/** Asserts the same for the palette, which also lists locked pages with the missing permission. Follows all of its entries, or none. */
export async function expectPalette(
  page: Page,
  entries: string[],
  { isFollowed }: { isFollowed: boolean },
): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Search or run a command" });
  const places = dialog.getByRole("group", { name: "Go to" }).getByRole("option");
  const enabled = places.and(page.locator("[aria-disabled=false]"));
  const open = async () => {
    await page.keyboard.press("Control+k");
    await expect(enabled).toHaveText([...entries, ...besides]);
  };
  const choose = async (label: string) => {
    await open();
    await enabled.filter({ hasText: label }).click();
    await expect(dialog).toBeHidden();
    if (!besides.includes(label)) await expect(linkOf(page, label)).toHaveAttribute(...current);
    await expectPageOf(page, label);
  };
  await open();
  for (const locked of await places.and(page.locator("[aria-disabled=true]")).allTextContents())
    expect(locked).toMatch(/needs [a-z.-]+, given by ./);
  await dialog.getByRole("option", { name: "Generate API key" }).click();
  await expect(page.getByRole("dialog", { name: "Generate API key" })).toBeVisible();
  await escapeFrom(page, "dialog");
  for (const label of isFollowed ? [...entries, ...besides] : []) await choose(label);
}
