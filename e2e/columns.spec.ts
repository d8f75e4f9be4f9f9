import type { Page } from "@playwright/test";
import { atRest } from "./support/at-rest";
import { documentArrived, holdScripts } from "./support/first-paint";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { makeOwnTenant } from "./support/own-tenant";
import { credentialsOf, expect, expectNoOverflow, signedIn, test } from "./support/portal";

test.use(firstLook);

const byDefault = ["Name", "Login", "E-mail", "Roles", "Status", "Registered", "Last sign-in"];
const statusFirst = ["Name", "Status", "Login", "E-mail", "Roles", "Registered", "Last sign-in"];

const opener = (page: Page) => page.getByRole("button", { name: "Columns", exact: true });
const entry = (page: Page, name: string) => page.getByRole("menuitemcheckbox", { name });
const button = (page: Page, name: string) => page.getByRole("menuitem", { name });
const heads = (page: Page) => page.locator("thead th:not(:has(input))");
const firstRow = (page: Page) => page.locator("tbody tr").first().locator("td:not(:has(input))");

/** Asserts the order of the header and of the cells. */
async function expectOrder(page: Page, names: string[]): Promise<void> {
  await expect(heads(page)).toHaveText(names);
  const labels = () =>
    firstRow(page).evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-label")));
  await expect.poll(labels).toEqual(names);
}

async function openByKey(page: Page): Promise<void> {
  await opener(page).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu").getByRole("menuitemcheckbox").first()).toBeFocused();
  await atRest(page);
}

async function moveStatusFirst(page: Page): Promise<void> {
  await openByKey(page);
  // The menu moves the focus shortly after the key press.
  for (const name of ["E-mail", "Roles", "Status"]) {
    await page.keyboard.press("ArrowDown");
    await expect(entry(page, name)).toBeFocused();
  }
  for (const _ of ["Roles", "E-mail", "Login"]) await page.keyboard.press("Alt+ArrowUp");
  await expectOrder(page, statusFirst);
}

test("keys move columns, and the focus follows the moved entry", async ({ page }) => {
  await page.goto(`/t/${await makeOwnTenant(page, "column-keys")}/users`);
  await expectOrder(page, byDefault);
  await moveStatusFirst(page);
  await expect(page.getByRole("group", { name: "Alt + ↑ or ↓ moves a column" })).toBeVisible();
  const said = page.getByRole("status").filter({ hasText: "Status: position 1 of 6" });
  await expect(said).toHaveCount(1);
  await expect(entry(page, "Status")).toBeFocused();
  await page.keyboard.press("Alt+ArrowUp");
  await expectOrder(page, statusFirst);

  await page.keyboard.press("ArrowRight");
  await expect(button(page, "Move Status up")).toBeFocused();
  await expect(button(page, "Move Status up")).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect(button(page, "Move Login down")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(button(page, "Move Status down")).toBeFocused();
  await expect(heads(page).nth(2)).toHaveText("Status");
  await page.keyboard.press("Alt+ArrowUp");
  await expectOrder(page, statusFirst);
  await expectSoundInEveryLook(page);
});

test("the order of columns is remembered, in the address and in a saved view, and reset", async ({
  page,
}) => {
  const users = `/t/${await makeOwnTenant(page, "columns")}/users`;
  await page.goto(users, { waitUntil: "networkidle" });
  await moveStatusFirst(page);
  await entry(page, "E-mail").click();
  await page.keyboard.press("Escape");
  const shown = statusFirst.filter((name) => name !== "E-mail");
  await expect(page).toHaveURL(/hide=emailAddress&columns=name,status,login,/);
  const link = page.url();
  await page.reload();
  await expectOrder(page, shown);
  await page.goto(users);
  await expectOrder(page, shown);

  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save as view" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Status first");
  await page.getByRole("dialog").getByRole("button", { name: "Save view" }).click();
  await expect(page.getByRole("button", { name: "View: Status first" })).toBeVisible();

  await opener(page).click();
  await button(page, "Reset columns").click();
  await expectOrder(page, byDefault);
  await expect(page.getByRole("button", { name: "Views", exact: true })).toBeVisible();
  await page.reload();
  await expectOrder(page, byDefault);
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name: "Status first" }).click();
  await expectOrder(page, shown);
  await expect(page.getByRole("button", { name: "View: Status first" })).toBeVisible();

  await page.context().clearCookies({ name: "gatehouse-columns" });
  await page.goto(users);
  await expectOrder(page, byDefault);
  await page.goto(link);
  await expectOrder(page, shown);
});

const handle = (page: Page, name: string) =>
  page.getByRole("columnheader", { name }).getByRole("separator");

/** The width of a column by its header, its first cell and its handle, measured at the same time. */
const measure = (page: Page, name: string) =>
  handle(page, name).evaluate((separator, label) => {
    const head = separator.closest("th");
    const cell = document.querySelector<HTMLElement>(`tbody tr [data-label="${label}"]`);
    return [head?.offsetWidth, cell?.offsetWidth, Number(separator.getAttribute("aria-valuenow"))];
  }, name);

const expectWidth = (page: Page, name: string, width: number) =>
  expect.poll(() => measure(page, name)).toEqual([width, width, width]);

/** The width of a column, as soon as its header, its cells and its handle agree. */
async function widthOf(page: Page, name: string): Promise<number> {
  await expect.poll(async () => new Set(await measure(page, name)).size).toBe(1);
  return (await measure(page, name))[0] ?? 0;
}

async function drag(page: Page, name: string, by: number): Promise<void> {
  const box = await handle(page, name).boundingBox();
  const [x, y] = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 10];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by / 2, y + 3);
  await page.mouse.move(x + by, y);
  await page.mouse.up();
}

test("a column is made wider and narrower by pointer and by keys", async ({ page }) => {
  const users = `/t/${await makeOwnTenant(page, "column-widths")}/users`;
  await page.goto(users, { waitUntil: "networkidle" });
  const name = await widthOf(page, "Name");
  // A drag before the code is loaded takes effect as soon as it is.
  const letScriptsCome = await holdScripts(page);
  await drag(page, "Name", 40);
  expect(await widthOf(page, "Name")).toBe(name);
  letScriptsCome();
  await expectWidth(page, "Name", name + 40);
  await handle(page, "Name").focus();
  await expect(page.getByRole("separator", { name: "Width of Name" })).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expectWidth(page, "Name", name + 24);
  const login = await widthOf(page, "Login");
  await drag(page, "Login", 40);
  await expectWidth(page, "Login", login + 40);
  await expectWidth(page, "Name", name + 24);
  await expect(page).toHaveURL(/widths=name\.\d+,login\.\d+/);

  await handle(page, "Name").focus();
  await page.keyboard.press("Home");
  await expectWidth(page, "Name", 56);
  const link = firstRow(page).first().getByRole("link");
  await link.hover();
  await expect(link).toHaveAttribute("title", (await link.textContent()) ?? "");
  await page.keyboard.press("Enter");
  await expect.poll(() => widthOf(page, "Name")).toBeGreaterThan(56);
  await handle(page, "E-mail").dblclick();
  await expect(page).toHaveURL(/emailAddress\.\d+/);
  await handle(page, "E-mail").focus();
  await page.keyboard.press("End");
  await expectWidth(page, "E-mail", 800);
  await expectSoundInEveryLook(page);
});

test("the width of a column is in the first paint, kept by a saved view, reset, and mirrored", async ({
  page,
  browser,
  baseURL,
}) => {
  const users = `/t/${await makeOwnTenant(page, "column-kept")}/users`;
  const setCookie = (name: string, value: string) =>
    page.context().addCookies([{ name: `gatehouse-${name}`, value, url: baseURL ?? "" }]);
  await setCookie("columns", "users.widths=emailAddress.640");
  // A separate context, because the page is checked before its scripts run.
  const given = { ...firstLook, storageState: await page.context().storageState() };
  const context = await browser.newContext({ ...given, ...(baseURL && { baseURL }) });
  const early = await context.newPage();
  await holdScripts(early);
  await early.goto(users, { waitUntil: "commit" });
  await documentArrived(early);
  const email = early.getByRole("columnheader", { name: "E-mail" }).getByRole("separator");
  await expect(email).toHaveAttribute("aria-valuenow", "640");
  await expect.poll(() => email.evaluate((one) => one.closest("th")?.offsetWidth)).toBe(640);
  await context.close();

  await page.goto(users);
  await expectWidth(page, "E-mail", 640);
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Save as view" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Wide");
  await page.getByRole("dialog").getByRole("button", { name: "Save view" }).click();
  await expect(page.getByRole("button", { name: "View: Wide" })).toBeVisible();
  await opener(page).click();
  await button(page, "Reset widths").click();
  await expect.poll(() => widthOf(page, "E-mail")).toBeLessThan(640);
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("menuitemcheckbox", { name: "Wide" }).click();
  await expectWidth(page, "E-mail", 640);

  // From right to left the handle is at the left edge of its column.
  await setCookie("language", "qps-rtl");
  await page.goto(`${users}?widths=default`);
  const second = page.getByRole("separator").nth(1);
  await expect(second).toHaveAttribute("aria-valuenow", /^\d+$/);
  const before = Number(await second.getAttribute("aria-valuenow"));
  await second.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(second).toHaveAttribute("aria-valuenow", String(before + 16));
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });
  test.use({ storageState: async ({}, use) => use(signedIn("um")) });

  test("buttons that a finger can hit move a column, and the cards follow", async ({
    page,
    world,
  }) => {
    await page.goto(`/t/${credentialsOf(world, "um").tenant}/users`, { waitUntil: "networkidle" });
    await opener(page).tap();
    const up = button(page, "Move E-mail up");
    const size = () => up.evaluate((one: HTMLElement) => [one.offsetWidth, one.offsetHeight]);
    await expect.poll(async () => Math.min(...(await size()))).toBeGreaterThanOrEqual(32);
    await up.tap();
    await expectOrder(page, ["Name", "E-mail", "Login", ...byDefault.slice(3)]);
    // `force`, because a tap would wait for the disabled button.
    await button(page, "Move Last sign-in down").tap({ force: true });
    await expectOrder(page, ["Name", "E-mail", "Login", ...byDefault.slice(3)]);
    await expectNoOverflow(page);
    // The state is next to the name, and below them as many of the others as have room, in order.
    const tops = await firstRow(page).evaluateAll((cells) =>
      cells
        .filter((cell) => cell.getAttribute("data-card") !== "end")
        .map((cell) => Math.round(cell.getBoundingClientRect().top)),
    );
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  });
});
