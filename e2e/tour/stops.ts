import type { Page } from "@playwright/test";
import { expect } from "@/e2e/support/portal";

interface Stop {
  name: string;
  path: string;
  /** Opens what the page hides at first. */
  open?: (page: Page) => Promise<void>;
}

const dialog = (page: Page) => expect(page.getByRole("dialog")).toBeVisible();

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
  await dialog(page);
};

const openFirst = async (page: Page) => {
  await page.locator("[data-row], main td a").first().click();
  await expect(page.getByRole("navigation", { name: "Breadcrumb" })).toBeVisible();
};

const key = (name: string) => async (page: Page) => {
  await page.keyboard.press(name);
  await dialog(page);
};

/** Pages that need no session. */
export const publicStops: Stop[] = [
  { name: "sign-in", path: "/sign-in" },
  { name: "docs", path: "/docs" },
  { name: "docs-guide", path: "/docs/guides/quick-start" },
  { name: "docs-operation", path: "/docs/get-v1-user-list" },
  { name: "docs-errors", path: "/docs/errors" },
  { name: "docs-changelog", path: "/docs/changelog" },
];

/** Pages and main states of the demo's tenant, as its administrator sees them. */
export const portalStops: Stop[] = [
  { name: "home", path: "" },
  { name: "palette", path: "", open: key("Control+k") },
  { name: "shortcuts", path: "", open: key("?") },
  { name: "your-details", path: "/me" },
  { name: "generate-key", path: "/me", open: press("Generate key") },
  { name: "users", path: "/users" },
  { name: "users-nothing", path: "/users?q=no-such-user" },
  { name: "invite", path: "/users", open: press("Invite user") },
  { name: "user", path: "/users", open: openFirst },
  {
    name: "user-access",
    path: "/users",
    open: async (page) => {
      await openFirst(page);
      await page.getByRole("link", { name: "Access" }).click();
      await expect(page.getByRole("table", { name: /^Roles/ })).toBeVisible();
    },
  },
  { name: "keys", path: "/keys" },
  { name: "metrics", path: "/metrics" },
  { name: "metrics-table", path: "/metrics?view=table" },
  { name: "requests", path: "/requests" },
  { name: "webhooks", path: "/webhooks" },
  { name: "create-webhook", path: "/webhooks", open: press("Create webhook") },
  { name: "streams", path: "/streams" },
  { name: "create-stream", path: "/streams", open: press("Create stream") },
  { name: "audit", path: "/audit" },
  { name: "settings", path: "/settings" },
  { name: "add-site", path: "/settings", open: press("Add site") },
  { name: "previews", path: "/sites/eu-store/previews" },
  { name: "preview-editor", path: "/sites/eu-store/previews", open: openFirst },
  { name: "customers", path: "/sites/eu-store/customers" },
  { name: "create-customer", path: "/sites/eu-store/customers", open: press("Create customer") },
  { name: "customer", path: "/sites/eu-store/customers", open: openFirst },
  { name: "not-found", path: "/nothing-here" },
];
