import type { Page } from "@playwright/test";
import { expect, fillSignIn } from "./portal";

const person = { login: "ada", password: "four words in a row" };

/** Nobody is signed in before the test. */
export const nobody = { cookies: [], origins: [] };

/** Signs up a tenant and signs its administrator in: what is set there holds for no other test. Returns its id. */
export async function enterOwnTenant(page: Page, what: string): Promise<string> {
  const tenant = `e2e-${what}-${Date.now()}`;
  const ada = { name: "Ada Example", emailAddress: "ada@example.com", ...person };
  const made = await page.request.post("/v1/signup", { data: { tenant, site: "shop", ...ada } });
  expect(made.status(), await made.text()).toBe(201);
  await page.goto("/sign-in");
  await fillSignIn(page, { tenant, ...person });
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));
  return tenant;
}
