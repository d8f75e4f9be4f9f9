import type { Page } from "@playwright/test";
import { german } from "@/components/texts/german";
import { expect } from "@/e2e/support/portal";

/** A language such as "de", whose names are then used to open states. */
export const language = process.env.TOUR_LANGUAGE;

/** The displayed text for an English text without placeholders. */
function shown(text: string): string {
  const entry = language === "de" ? german.entries[text] : undefined;
  return typeof entry === "string" ? entry : text;
}

export interface Stop {
  name: string;
  path: string;
  /** Opens the initially hidden parts of the page. */
  open?: (page: Page) => Promise<void>;
}

const dialog = (page: Page) => expect(page.getByRole("dialog")).toBeVisible();

const press = (name: string) => async (page: Page) => {
  await page
    .getByRole("button", { name: shown(name) })
    .first()
    .click();
  await dialog(page);
};

const openFirst = async (page: Page) => {
  await page.locator("[data-row], main td a").first().click();
  await expect(page.getByRole("navigation", { name: shown("Breadcrumb") })).toBeVisible();
};

const key = (name: string) => async (page: Page) => {
  await page.keyboard.press(name);
  await dialog(page);
};

/** Saves the metrics page as a chart of Home, and opens it there. */
const saveChart = async (page: Page) => {
  await page.getByRole("button", { name: shown("Views"), exact: true }).click();
  await page.getByRole("menuitem", { name: shown("Save as view") }).click();
  await page.getByLabel(shown("Name"), { exact: true }).fill("Calls by site");
  await page.getByRole("button", { name: shown("Save view") }).click();
  await expect(page.getByRole("button", { name: /: Calls by site$/ })).toBeVisible();
  await page.goto("/t/demo", { waitUntil: "networkidle" });
  await page.locator("#saved-charts").scrollIntoViewIfNeeded();
};

/** Opens the test of a new alert against past data, as a chart. */
const testAlert = async (page: Page) => {
  await press("Create alert")(page);
  await page.getByLabel(shown("Name"), { exact: true }).fill("Sign-ins fail");
  await page.getByLabel(shown("Threshold")).fill("2.5");
  await page.getByRole("button", { name: shown("Test against the last 7 days") }).click();
  const chart = page.getByRole("dialog").getByRole("img");
  await chart.scrollIntoViewIfNeeded();
  await chart.locator("..").hover();
  await expect(chart.locator(".recharts-surface")).toBeVisible();
};

/** Opens the first preview through a share link. */
const openShared = async (page: Page) => {
  await openFirst(page);
  await press("Share")(page);
  await page.getByLabel(shown("For whom")).fill("The agency");
  await page.getByRole("button", { name: shown("Create link") }).click();
  await page.goto((await page.locator("code", { hasText: "#token=" }).textContent()) ?? "");
  await expect(page.getByLabel(shown("Comment"), { exact: true })).toBeVisible();
};

/** Pages that require no session. */
export const publicStops: Stop[] = [
  { name: "sign-in", path: "/sign-in" },
  { name: "forgot-password", path: "/forgot-password" },
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
  {
    name: "row-peek",
    path: "/users",
    open: async (page) => {
      await page.keyboard.press("j");
      await page.keyboard.press("Space");
      await expect(page.getByRole("button", { name: shown("Close peek") })).toBeVisible();
    },
  },
  {
    name: "views-menu",
    path: "/users?lock=true",
    open: async (page) => {
      await page.getByRole("button", { name: shown("Views"), exact: true }).click();
      await expect(page.getByRole("menu")).toBeVisible();
    },
  },
  { name: "users-nothing", path: "/users?q=no-such-user" },
  { name: "invite", path: "/users", open: press("Invite user") },
  { name: "user", path: "/users", open: openFirst },
  {
    name: "user-access",
    path: "/users",
    open: async (page) => {
      await openFirst(page);
      await page.getByRole("link", { name: shown("Access"), exact: true }).click();
      await expect(page.locator("main table").first()).toBeVisible();
    },
  },
  { name: "notices", path: "/notices" },
  { name: "keys", path: "/keys" },
  { name: "access-review", path: "/access-review" },
  { name: "metrics", path: "/metrics" },
  { name: "metrics-table", path: "/metrics?view=table" },
  { name: "saved-charts", path: "/metrics?range=7d&group=site", open: saveChart },
  { name: "alerts", path: "/alerts" },
  { name: "alert", path: "/alerts", open: openFirst },
  { name: "create-alert", path: "/alerts", open: press("Create alert") },
  { name: "alert-tested", path: "/alerts", open: testAlert },
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
  { name: "shared-preview", path: "/sites/eu-store/previews", open: openShared },
  { name: "releases", path: "/sites/eu-store/releases" },
  { name: "create-release", path: "/sites/eu-store/releases", open: press("Create release") },
  { name: "customers", path: "/sites/eu-store/customers" },
  { name: "create-customer", path: "/sites/eu-store/customers", open: press("Create customer") },
  { name: "customer", path: "/sites/eu-store/customers", open: openFirst },
  { name: "not-found", path: "/nothing-here" },
];
