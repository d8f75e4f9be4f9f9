import { expect, expectAccessible, fillSignIn, test } from "./support/portal";

const demo = { tenant: "demo", login: "admin" };
const own = "seven quiet lanterns by the gate";

test.describe.configure({ mode: "serial" });
test.use({ tolerated: [/status of 40[01]/] });

test("the printed one-time password must be changed at the first sign-in, on the same page", async ({
  page,
}) => {
  await page.goto("/sign-in");
  await fillSignIn(page, { ...demo, password: process.env.E2E_DEMO_PASSWORD ?? "" });
  await expect(page.getByRole("heading", { name: "Set your own password" })).toBeVisible();
  await expectAccessible(page);
  await page.goto("/t/demo");
  await expect(page, "the portal stays closed until then").toHaveURL(/\/sign-in/);
  await fillSignIn(page, { ...demo, password: process.env.E2E_DEMO_PASSWORD ?? "" });
  await page.getByLabel("New password").fill("passwordpassword");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByLabel("New password")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("New password").fill(own);
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page).toHaveURL(/\/t\/demo$/);
  await expect(page.getByRole("heading", { name: /^Welcome/ })).toBeVisible();
});

test("the users of the demo can be searched, filtered, sorted and paged, and the address has the state", async ({
  page,
}) => {
  await page.goto("/sign-in?next=/t/demo/users");
  await fillSignIn(page, { ...demo, password: own });
  const rows = page.getByRole("table", { name: "Users" }).locator("tbody tr");
  await expect(page.getByRole("status").filter({ hasText: /^\d+ users$/ })).toBeVisible();
  await page.getByLabel("Users per page").selectOption("25");
  await expect(rows).toHaveCount(25);
  // Only its name, because the time since the last sign-in changes during the test.
  const firstName = rows.first().locator("[data-row]");
  const first = (await firstName.textContent()) ?? "";
  await page.getByRole("button", { name: "Next" }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(page.getByRole("status").filter({ hasText: /Users 26 to/ })).toBeVisible();
  await expect(firstName).not.toHaveText(first);
  await page.reload();
  await expect(
    page.getByRole("status").filter({ hasText: /Users 26 to/ }),
    "a link opens the same view",
  ).toBeVisible();
  await page.getByRole("button", { name: "Previous" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Users 1 to 25" })).toBeVisible();
  await expect(firstName).toHaveText(first);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(/sort=login/);
  await expect(page.getByRole("columnheader", { name: "Login" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL(/sort=-login/);
  await expect(async () => {
    const logins = await rows.locator("code").allTextContents();
    expect(logins.length).toBe(25);
    expect(logins).toEqual([...logins].sort().reverse());
  }).toPass();
  const cells = await rows.first().getByRole("cell").count();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("menuitemcheckbox", { name: "E-mail" }).click();
  await expect(page.getByRole("columnheader", { name: "E-mail" })).toHaveCount(0);
  await expect(
    rows.first().getByRole("cell"),
    "a column that is not shown has no cells",
  ).toHaveCount(cells - 1);
  await page.keyboard.press("Escape");
  await page.getByLabel("Role").selectOption("tenant.admin");
  await expect(page).toHaveURL(/role=tenant.admin/);
  await expect(rows.first()).toContainText("Tenant Administrator");
  await page.getByLabel("Search users").fill("no one is called this");
  await expect(page.getByText("No users match")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rows).toHaveCount(25);
});

test("the export contains every user that matches, not only the page on screen", async ({
  page,
}) => {
  await page.goto("/sign-in?next=/t/demo/users");
  await fillSignIn(page, { ...demo, password: own });
  const arriving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export CSV" }).click();
  const download = await arriving;
  expect(download.suggestedFilename()).toBe("demo-users.csv");
  const text = await (await download.createReadStream()).toArray();
  const lines = Buffer.concat(text).toString("utf8").trimEnd().split("\r\n");
  expect(lines[0]).toBe(
    "\uFEFFid,login,name,emailAddress,roles,siteRoles,lock,state,registrationDate,lastLoginAt",
  );
  expect(lines.length - 1).toBeGreaterThanOrEqual(40);
  await page.getByRole("checkbox", { name: /^Select Alice Moreau/ }).check();
  const selected = page.waitForEvent("download");
  await page
    .getByRole("region", { name: "Selected users" })
    .getByRole("button", { name: "Export" })
    .click();
  const chosen = await (await (await selected).createReadStream()).toArray();
  expect(
    Buffer.concat(chosen).toString("utf8").trimEnd().split("\r\n").slice(1),
    "only the selected users",
  ).toEqual([expect.stringContaining("Alice Moreau")]);
});
