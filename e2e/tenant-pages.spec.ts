import type { Page } from "@playwright/test";
import { expectSoundInEveryLook, firstLook, openToLookAt } from "./support/looks";
import { credentialsOf, expect, signedIn, test } from "./support/portal";

interface Visit {
  name: string;
  path: (tenant: string) => string;
  /** Waits for the page's data, and opens its initially hidden parts. */
  open: (page: Page) => Promise<void>;
}

const dialog = (page: Page) => expect(page.getByRole("dialog")).toBeVisible();

const visits: Visit[] = [
  {
    name: "sign-up",
    path: () => "/sign-up",
    open: (page) => expect(page.getByLabel("Tenant id")).toBeVisible(),
  },
  {
    name: "audit, an entry open",
    path: (tenant) => `/t/${tenant}/audit`,
    open: (page) =>
      page
        .getByRole("button", { name: /^Details of/ })
        .first()
        .click(),
  },
  {
    name: "audit, nothing fits",
    path: (tenant) => `/t/${tenant}/audit?action=none`,
    open: (page) => expect(page.getByText("No entries match")).toBeVisible(),
  },
  {
    name: "requests",
    path: (tenant) => `/t/${tenant}/requests`,
    open: (page) => expect(page.getByRole("heading", { level: 1 })).toBeVisible(),
  },
  {
    name: "webhooks",
    path: (tenant) => `/t/${tenant}/webhooks`,
    open: (page) => expect(page.getByText("No webhooks yet")).toBeVisible(),
  },
  {
    name: "a new webhook",
    path: (tenant) => `/t/${tenant}/webhooks`,
    open: async (page) => {
      await page.getByRole("button", { name: "Create webhook" }).click();
      await dialog(page);
    },
  },
  {
    name: "audit streams",
    path: (tenant) => `/t/${tenant}/streams`,
    open: (page) => expect(page.getByText("No audit streams yet")).toBeVisible(),
  },
  {
    name: "a new audit stream",
    path: (tenant) => `/t/${tenant}/streams`,
    open: async (page) => {
      await page.getByRole("button", { name: "Create stream" }).click();
      await dialog(page);
    },
  },
  {
    name: "settings",
    path: (tenant) => `/t/${tenant}/settings#security`,
    open: (page) => expect(page.getByLabel("Idle timeout", { exact: true })).toBeVisible(),
  },
  {
    name: "a new site",
    path: (tenant) => `/t/${tenant}/settings`,
    open: async (page) => {
      await page.getByRole("button", { name: "Add site" }).click();
      await dialog(page);
    },
  },
  {
    name: "tenants, to somebody who is not support",
    path: () => "/platform/tenants",
    open: (page) =>
      expect(
        page.getByRole("heading", { name: "You don't have access to this page" }),
      ).toBeVisible(),
  },
];

test.use(firstLook);
test.use({ storageState: async ({}, use) => use(signedIn("adm")) });
test.use({ tolerated: [/status of 403/] });

for (const visit of visits)
  test(`${visit.name}: axe finds nothing, the console is empty, nothing overflows`, async ({
    page,
    world,
  }) => {
    await openToLookAt(page, visit.path(credentialsOf(world, "adm").tenant));
    await visit.open(page);
    await expectSoundInEveryLook(page);
  });
