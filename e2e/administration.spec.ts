import { request as outside, type Page } from "@playwright/test";
import { actWhenAwake } from "./support/awake";
import { makeOwnTenant, nobody } from "./support/own-tenant";
import { credentialsOf, expect, expectAccessible, signedIn, test } from "./support/portal";
import { readSecret } from "./support/secrets";
import { callAs, createServiceUser, newLogin } from "./support/service-calls";
import { holdUndo, passUndo } from "./support/undo";

const tick = (page: Page, name: string) => page.getByRole("checkbox", { name });

test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

const password = "seven quiet lanterns by the gate";
async function listUsers(
  baseURL: string | undefined,
  tenant: string,
  apiKey: string,
): Promise<number> {
  const extraHTTPHeaders = { "User-Agent": "importer/1.0" };
  const program = await outside.newContext({ baseURL: baseURL ?? "", extraHTTPHeaders });
  const response = await program.get("/v1/user/profile", {
    headers: { "X-Service-Tenant": tenant, "X-Service-API-Key": apiKey },
  });
  await program.dispose();
  return response.status();
}

test("an invitation is created, accepted in another browser, and works once", async ({
  page,
  world,
  browser,
  baseURL,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  const login = newLogin("new");
  await page.goto(`/t/${tenant}/users`);
  await page.getByRole("button", { name: "Invite user" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("New Person");
  await dialog.getByLabel("Login").fill(login);
  await dialog.getByLabel("E-mail address").fill("new@example.com");
  await dialog.getByLabel("Role").selectOption("portal.users.mgmt");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  await expect(dialog.getByText("Works once")).toBeVisible();
  await expectAccessible(page);
  const url = (await dialog.locator("pre").textContent()) ?? "";
  expect(new URL(url).hash).toMatch(/^#token=svl_/);
  await dialog.getByRole("button", { name: "Done" }).click();

  const theirs = await browser.newContext({
    baseURL: baseURL ?? "",
    storageState: { cookies: [], origins: [] },
  });
  await actWhenAwake(theirs);
  const invited = await theirs.newPage();
  const { pathname, hash } = new URL(url);
  await invited.goto(`${pathname}${hash}`);
  await expectAccessible(invited);
  await invited.getByLabel("Password", { exact: true }).fill(password);
  await invited.getByRole("button", { name: "Accept invitation" }).click();
  await expect(invited).toHaveURL(new RegExp(`/t/${tenant}$`));
  await expect(invited.getByRole("heading", { name: "Welcome, New Person" })).toBeVisible();
  await invited.goto(`${pathname}?again${hash}`);
  await invited.getByLabel("Password", { exact: true }).fill(password);
  await invited.getByRole("button", { name: "Accept invitation" }).click();
  await expect(invited.getByText("This link is not valid, or was used already.")).toBeVisible();
  await theirs.close();
});

test("changes of roles are described in words before they are saved, and inherited roles are marked", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  const { id } = await createServiceUser(page, tenant);
  await page.goto(`/t/${tenant}/users/${id}/access`);
  await tick(page, "Product Information Management at a-one").check();
  const changes = page.getByRole("region", { name: /Changes \(1\)/ });
  await expect(changes).toContainText("+ Product Information Management at a-one: may now call");
  await page.reload();
  await expect(changes, "unsaved changes survive a reload").toBeVisible();
  await tick(page, "Product Information Management in the whole tenant").check();
  await expect(
    page.getByRole("row", { name: /Product Information/ }).getByText("inherited"),
  ).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Save 2 changes" }).click();
  await expect(page.getByText("2 changes saved")).toBeVisible();
  await expect(tick(page, "Product Information Management at a-one")).toBeChecked();
  const stored = await (await callAs(page, `GET /v1/user/${id}/roles`, { tenant })).json();
  expect(stored).toEqual({
    roleIds: ["portal.default", "portal.pim.mgmt"],
    sites: { "a-one": { roleIds: ["portal.pim.mgmt"] } },
  });
});

test.describe("two administrators", () => {
  test.use({ tolerated: [/status of 412/] });

  test("412: the second to save gets a notice, keeps their changes, and saves them on top", async ({
    page,
    world,
  }) => {
    const { tenant } = credentialsOf(world, "adm");
    const { id } = await createServiceUser(page, tenant);
    await page.goto(`/t/${tenant}/users/${id}/access`);
    await tick(page, "Quality Assurance in the whole tenant").check();
    const roles = { roleIds: ["portal.catalog.mgmt"], sites: {} };
    expect(
      (
        await callAs(page, `PUT /v1/user/${id}/roles`, {
          tenant,
          data: roles,
          headers: { "If-Match": "*" },
        })
      ).status(),
    ).toBe(200);
    await page.getByRole("button", { name: "Save 1 change" }).click();
    await expect(page.getByText("Someone else changed these roles")).toBeVisible();
    await expect(tick(page, "Catalog Management in the whole tenant")).toBeChecked();
    await page.getByRole("button", { name: "Save 1 change" }).click();
    await expect(page.getByText("1 change saved")).toBeVisible();
    const stored = await (await callAs(page, `GET /v1/user/${id}/roles`, { tenant })).json();
    expect(stored.roleIds).toEqual(["portal.catalog.mgmt", "portal.qa.mgmt"]);
  });
});

test("a user is locked with a reason, shown as locked, and unlocked; deactivation shows its effects first, and the data can be exported", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  const { id } = await createServiceUser(page, tenant);
  await page.goto(`/t/${tenant}/users/${id}`);
  await page.getByRole("button", { name: "Lock", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("lost laptop");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Lock user" }).click();
  await expect(page.getByText("Locked: lost laptop.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Unlock" }).click();
  await dialog.getByRole("button", { name: "Unlock user" }).click();
  await expect(page.getByText("Locked: lost laptop.")).toBeHidden();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Deactivate user" }).click();
  await expect(dialog.getByText("0 API keys")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Deactivate user" }).click();
  await expect(page.getByText("Deactivated", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Export user’s data" }).click();
  await expectAccessible(page);
  const arriving = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Export data" }).click();
  expect((await arriving).suggestedFilename()).toBe(`${tenant}-${id}.json`);
});

test("a service user's key is created, rotated with both secrets working, and revoked", async ({
  page,
  world,
  baseURL,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  const { id, login } = await createServiceUser(page, tenant);
  await holdUndo(page);
  await page.goto(`/t/${tenant}/users/${id}/api-keys`);
  const dialog = page.getByRole("dialog");
  const takeSecret = async () => {
    const apiKey = await readSecret(dialog);
    await dialog.getByLabel("I have stored it").check();
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect(dialog).toBeHidden();
    return apiKey;
  };
  const choose = async (item: string) => {
    await page.getByRole("button", { name: "Actions for key bridge" }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await page.getByRole("button", { name: "Generate key" }).click();
  await dialog.getByLabel("Name").fill("bridge");
  await dialog.getByRole("button", { name: "Generate key" }).click();
  const first = await takeSecret();
  expect(await listUsers(baseURL, tenant, first)).toBe(200);

  await choose("Rotate secret");
  await dialog.getByText("1 hour").click();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Rotate key" }).click();
  const second = await takeSecret();
  expect([
    await listUsers(baseURL, tenant, first),
    await listUsers(baseURL, tenant, second),
  ]).toEqual([200, 200]);
  await choose("See who uses the previous secret");
  await expect(dialog.getByText("importer/1.0")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Keep it" }).click();

  await page.goto(`/t/${tenant}/keys`);
  const row = page.getByRole("row", { name: new RegExp(login) });
  await expect(row).toContainText("bridge");
  await choose("Revoke key");
  await dialog.getByRole("button", { name: "Revoke key" }).click();
  await expect(row).toContainText("Suspended");
  expect([
    await listUsers(baseURL, tenant, first),
    await listUsers(baseURL, tenant, second),
  ]).toEqual([403, 403]);
  await passUndo(page);
  await expect(row).toContainText("Revoked");
  expect([
    await listUsers(baseURL, tenant, first),
    await listUsers(baseURL, tenant, second),
  ]).toEqual([401, 401]);
});

test.describe("many users at once", () => {
  // In a shared tenant the list would show only a part of the users.
  test.use({ storageState: nobody, tolerated: [/status of 403/] });

  test("each user has a separate result: a rejected change does not stop the others", async ({
    page,
  }) => {
    const tenant = await makeOwnTenant(page, "many-users");
    const made = [await createServiceUser(page, tenant), await createServiceUser(page, tenant)];
    await page.goto(`/t/${tenant}/users`);
    for (const user of made) await page.getByLabel(new RegExp(`^Select .*${user.login}$`)).check();
    await page.getByLabel(/^Select .*, ada$/).check();
    await expect(page.getByText("3 selected")).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Lock", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("spring cleaning");
    await dialog.getByRole("button", { name: "Lock 3 users" }).click();
    await expect(dialog.getByText("2 of 3 done, 1 failed")).toBeVisible();
    await expect(dialog.getByRole("listitem").filter({ hasText: "Failed" })).toContainText(
      "You cannot lock yourself.",
    );
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByRole("button", { name: "Clear selection" }).click();
    for (const user of made) {
      const { lock } = await (await callAs(page, `GET /v1/user/${user.id}`, { tenant })).json();
      expect(lock).toBe(true);
    }
  });
});
