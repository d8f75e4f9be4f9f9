import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { readIn } from "./support/languages";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { credentialsOf, expect, signedIn, test } from "./support/portal";
import { callAs, createServiceUser, newLogin } from "./support/service-calls";

test.use({ ...firstLook, storageState: async ({}, use) => use(signedIn("adm")) });

interface Selected {
  id: string;
  login: string;
  name: string;
}

async function createUsers(page: Page, tenant: string, count: number): Promise<Selected[]> {
  const name = newLogin("bulk");
  const users: Selected[] = [];
  for (let at = 0; at < count; at++) {
    const data = { login: `${name}-${at}`, name, roles: { roleIds: ["portal.default"] } };
    const answer = await callAs(page, "POST /v1/user/service-users", { tenant, data });
    expect(answer.status(), await answer.text()).toBe(201);
    users.push({ id: (await answer.json()).id, login: data.login, name });
  }
  return users;
}

const addressOf = (tenant: string, users: Selected[]) =>
  `/t/${tenant}/users?q=${users[0]?.name}&selected=${users.map(({ id }) => id).join(",")}`;

test("before users selected by an address get a role, the dialog lists them", async ({
  page,
  world,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  const users = await createUsers(page, tenant, 12);
  await page.goto(addressOf(tenant, users), { waitUntil: "networkidle" });
  const bar = page.getByRole("region", { name: "Selected users" });
  await bar.getByRole("button", { name: "Add role" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a role to 12 users" });
  const affected = dialog.getByRole("region", { name: "Affected users" });
  await expect(affected.getByRole("listitem")).toHaveCount(10);
  await expect(dialog.getByLabel("Role")).toBeFocused();
  await expectSoundInEveryLook(page);

  const more = dialog.getByRole("button", { name: "and 2 more" });
  await expect(more).toHaveAttribute("aria-expanded", "false");
  await more.press("Enter");
  await expect(affected.getByRole("listitem")).toHaveCount(12);
  const shown = await affected.getByRole("listitem").allTextContents();
  expect(shown.sort()).toEqual(users.map(({ name, login }) => `${name} ${login}`).sort());
  const scrolls = await affected.evaluate((list) => list.scrollHeight > list.clientHeight);
  expect(scrolls, "all of them scroll in their own frame").toBe(true);
  await expectSoundInEveryLook(page);
  await dialog.getByRole("button", { name: "Show fewer" }).press("Enter");
  await expect(affected.getByRole("listitem")).toHaveCount(10);
});

test("the dialog for locking a few users names all of them, also in German", async ({
  page,
  world,
  context,
  baseURL,
}) => {
  await readIn(context, "de", baseURL);
  const { tenant } = credentialsOf(world, "adm");
  const users = await createUsers(page, tenant, 2);
  await page.goto(addressOf(tenant, users), { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Sperren", exact: true }).click();
  const dialog = page.getByRole("dialog");
  const affected = dialog.getByRole("region", { name: "Betroffene Benutzer" });
  for (const { login } of users) await expect(affected).toContainText(login);
  await expect(dialog.getByRole("button", { name: /weitere/ })).toHaveCount(0);
  await expectSoundInEveryLook(page);
});

/** Keys of a new service user. */
async function createKeys(page: Page, tenant: string, names: string[]) {
  const { id } = await createServiceUser(page, tenant);
  const validTo = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const ids: string[] = [];
  for (const name of names) {
    const data = { name, validTo };
    const made = await callAs(page, `POST /v1/user/${id}/api-keys`, { tenant, data });
    expect(made.status(), await made.text()).toBe(200);
    ids.push((await made.json()).apiKeyId);
  }
  return { id, ids };
}

test("keys are rotated together, their secrets stay until the user confirms that they are stored, and are revoked together", async ({
  page,
  world,
  baseURL,
}) => {
  const { tenant } = credentialsOf(world, "adm");
  const { id, ids } = await createKeys(page, tenant, ["nightly", "export"]);
  const address = `/t/${tenant}/users/${id}/api-keys`;
  await page.goto(`${address}?selected=${ids.join(",")}`, { waitUntil: "networkidle" });
  const bar = page.getByRole("region", { name: "Selected keys" });
  await bar.getByRole("button", { name: "Rotate" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("listitem")).toHaveCount(2);
  await dialog.getByRole("button", { name: "Rotate 2 keys" }).click();
  await expect(dialog.getByText("2 of 2 done")).toBeVisible();

  await page.keyboard.press("Escape");
  await expect(dialog.getByText(/cannot be shown again\. Store them/)).toBeVisible();
  await page.goBack();
  await expect(dialog.getByRole("button", { name: "Done" })).toBeDisabled();
  await expectSoundInEveryLook(page);
  const arriving = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Download" }).click();
  const file = await readFile(await (await arriving).path(), "utf8");
  const secrets = [...file.matchAll(/^API_KEY_(\w+)_\w{4}=(svk_\S+)$/gm)];
  expect(secrets.map(([, name]) => name).sort()).toEqual(["EXPORT", "NIGHTLY"]);
  const statusOf = async ([, , secret = ""]: RegExpMatchArray) => {
    const headers = { "X-Service-Tenant": tenant, "X-Service-API-Key": secret };
    return (await fetch(`${baseURL ?? ""}/v1/user/session`, { headers })).status;
  };
  expect(await Promise.all(secrets.map(statusOf))).toEqual([200, 200]);
  await dialog.getByLabel("I have stored it").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  const left = await page.evaluate(() => document.documentElement.outerHTML);
  expect(secrets.filter(([, , secret = ""]) => left.includes(secret))).toEqual([]);

  await page.getByLabel("Select all keys on this page").check();
  await bar.getByRole("button", { name: "Revoke" }).click();
  await dialog.getByLabel("Type the number of keys to confirm").fill("2");
  await dialog.getByRole("button", { name: "Revoke 2 keys" }).click();
  await expect(dialog.getByText("2 of 2 done")).toBeVisible();
  expect(await Promise.all(secrets.map(statusOf))).toEqual([401, 401]);
  const query = `target=${ids[0]}&limit=10`;
  const trail = await callAs(page, `GET /v1/audit/events?${query}`, { tenant });
  const actions: string[] = (await trail.json()).map(({ action }: { action: string }) => action);
  expect(actions).toEqual(["api-key.revoked", "api-key.rotated", "api-key.created"]);
});
