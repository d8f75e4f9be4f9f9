import type { Page } from "@playwright/test";
import { readIn } from "./support/languages";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { credentialsOf, expect, signedIn, test } from "./support/portal";
import { callAs, newLogin } from "./support/service-calls";

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

test("before users whom an address has selected get a role, the dialog says who they are", async ({
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
  const shown = await affected.getByRole("listitem").allTextContents();
  expect(shown.sort()).toEqual(users.map(({ name, login }) => `${name} ${login}`).sort());
  const scrolls = await affected.evaluate((list) => list.scrollHeight > list.clientHeight);
  expect(scrolls, "all of them scroll in their own frame").toBe(true);
  await expectSoundInEveryLook(page);
  await dialog.getByRole("button", { name: "Show fewer" }).press("Enter");
  await expect(affected.getByRole("listitem")).toHaveCount(10);
});

test("a lock of few names all of them, also in German", async ({
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
