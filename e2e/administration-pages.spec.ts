import type { Page } from "@playwright/test";
import { handOffThatIsNotThere } from "./support/hand-offs";
import { expectSoundInEveryLook, firstLook, openToLookAt } from "./support/looks";
import { credentialsOf, expect, signedIn, test } from "./support/portal";

interface Visit {
  name: string;
  path: (tenant: string, userId: string) => string;
  /** Opens the initially hidden parts of the page. */
  open?: (page: Page) => Promise<void>;
}

const dialog = (page: Page) => expect(page.getByRole("dialog")).toBeVisible();

const visits: Visit[] = [
  {
    name: "access editor",
    path: (tenant, id) => `/t/${tenant}/users/${id}/access`,
    open: (page) => page.getByLabel(/^Quality Assurance in/).check(),
  },
  { name: "a user's keys", path: (tenant, id) => `/t/${tenant}/users/${id}/api-keys` },
  { name: "a user's activity", path: (tenant, id) => `/t/${tenant}/users/${id}/activity` },
  {
    name: "a user, actions open",
    path: (tenant, id) => `/t/${tenant}/users/${id}`,
    open: async (page) => {
      await page.getByRole("button", { name: "More actions" }).click();
      await expect(page.getByRole("menu")).toBeVisible();
    },
  },
  {
    name: "edit a user",
    path: (tenant, id) => `/t/${tenant}/users/${id}`,
    open: async (page) => {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Edit name and e-mail" }).click();
      await dialog(page);
    },
  },
  { name: "notices", path: (tenant) => `/t/${tenant}/notices` },
  { name: "access review", path: (tenant) => `/t/${tenant}/access-review` },
  { name: "the tenant's keys", path: (tenant) => `/t/${tenant}/keys` },
  { name: "idle keys", path: (tenant) => `/t/${tenant}/keys?show=idle` },
  {
    name: "a new service user",
    path: (tenant) => `/t/${tenant}/users`,
    open: async (page) => {
      await page.getByRole("button", { name: "Add service user" }).click();
      await dialog(page);
    },
  },
  { name: "invitation", path: (tenant) => `/invite/${tenant}#token=svl_none` },
  { name: "invitation without a token", path: (tenant) => `/invite/${tenant}` },
  { name: "hand-off", path: (tenant) => `/hand-off/${tenant}#${handOffThatIsNotThere}` },
  { name: "hand-off without a token", path: (tenant) => `/hand-off/${tenant}` },
  { name: "confirmation", path: (tenant) => `/confirm-email/${tenant}#token=svl_none` },
  { name: "confirmation without a token", path: (tenant) => `/confirm-email/${tenant}` },
  { name: "reset", path: (tenant) => `/reset-password/${tenant}#token=svl_none` },
];

test.use(firstLook);
test.use({ storageState: async ({}, use) => use(signedIn("adm")) });

for (const visit of visits)
  test(`${visit.name}: axe finds nothing, the console is empty, nothing overflows`, async ({
    page,
    world,
  }) => {
    const { tenant } = credentialsOf(world, "adm");
    const low = world.users.low?.id ?? "";
    await openToLookAt(page, visit.path(tenant, low));
    await visit.open?.(page);
    await expectSoundInEveryLook(page);
  });
