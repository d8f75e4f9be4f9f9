import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { makeOwnTenant, nobody } from "./support/own-tenant";
import { credentialsOf, expect, signedIn, test } from "./support/portal";
import { callAs, createServiceUser } from "./support/service-calls";

test.use(firstLook);
test.use({ storageState: nobody });

test("a pressed chip is in the address, filters the users, and is released by the keyboard", async ({
  page,
}) => {
  const tenant = await makeOwnTenant(page, "chips");
  const locked = await createServiceUser(page, tenant);
  const answer = await callAs(page, `POST /v1/user/${locked.id}/lock`, {
    tenant,
    data: { reason: "a test" },
  });
  expect(answer.status()).toBe(200);
  const active = await createServiceUser(page, tenant);
  await page.goto(`/t/${tenant}/users?q=service-`);
  const users = page.getByRole("table", { name: "Users" });
  const chip = page.getByRole("group", { name: "Status" }).getByRole("button", { name: "Locked" });
  await chip.click();
  await expect(page).toHaveURL(/lock=true/);
  await expect(chip).toHaveAttribute("aria-pressed", "true");
  await expect(users.getByText(locked.login, { exact: true })).toBeVisible();
  await expect(users.getByText(active.login, { exact: true })).toBeHidden();
  await page.reload();
  await expect(chip).toHaveAttribute("aria-pressed", "true");
  await expectSoundInEveryLook(page);
  await chip.press("Space");
  await expect(chip).toHaveAttribute("aria-pressed", "false");
  await expect(page).not.toHaveURL(/lock=/);
  await expect(users.getByText(active.login, { exact: true })).toBeVisible();
});

const lists = [
  { path: "/requests", group: "Outcome", chip: "Server errors (5xx)", address: /outcome=server/ },
  { path: "/audit", group: "Area", chip: "Users", address: /action=user/ },
  { path: "/keys", group: "Status", chip: "Suspended", address: /show=suspended/ },
];

test.describe("an administrator", () => {
  test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

  for (const { path, group, chip, address } of lists)
    test(`${path}: a chip filters, and is reached by the keyboard`, async ({ page, world }) => {
      await page.goto(`/t/${credentialsOf(world, "adm").tenant}${path}`, {
        waitUntil: "networkidle",
      });
      const chips = page.getByRole("group", { name: group });
      const button = chips.getByRole("button", { name: chip });
      await button.focus();
      await page.keyboard.press("Enter");
      await expect(button).toHaveAttribute("aria-pressed", "true");
      await expect(page).toHaveURL(address);
      await expect(chips.locator('[aria-pressed="true"]')).toHaveCount(1);
      await expectSoundInEveryLook(page);
    });
});
