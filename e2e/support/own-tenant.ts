import type { Page } from "@playwright/test";
import { storageStateOf } from "./http-sign-in";
import { expect, fillSignIn } from "./portal";

/** A name that is unique among tests, which run in several processes. */
const unique = () => `${Date.now().toString(36)}-${process.pid.toString(36)}`;

const person = { login: "ada", password: "four words in a row" };

/** A browser state without a session. */
export const nobody = { cookies: [], origins: [] };

async function signUp(page: Page, what: string) {
  const tenant = `e2e-${what}-${unique()}`;
  const ada = { name: "Ada Example", emailAddress: "ada@example.com", ...person };
  const data = { tenant, site: "shop", ...ada };
  const made = await page.request.post("/v1/signup", { data });
  expect(made.status(), await made.text()).toBe(201);
  return { tenant, origin: new URL(made.url()).origin };
}

/** Signs up a tenant and signs its administrator in, so that its settings affect no other test. Returns its id; opens no page. */
export async function makeOwnTenant(page: Page, what: string): Promise<string> {
  const { tenant, origin } = await signUp(page, what);
  const { cookies } = await storageStateOf(origin, { tenant, ...person });
  await page.context().addCookies(cookies);
  return tenant;
}

/** As `makeOwnTenant`, and opens the home page. */
export async function enterOwnTenant(page: Page, what: string): Promise<string> {
  const tenant = await makeOwnTenant(page, what);
  await page.goto(`/t/${tenant}`);
  return tenant;
}

/** As `enterOwnTenant`, through the form of the sign-in page, for tests of what that page sets for the next one. */
export async function signInToOwnTenant(page: Page, what: string): Promise<string> {
  const { tenant } = await signUp(page, what);
  await page.goto("/sign-in");
  await fillSignIn(page, { tenant, ...person });
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));
  return tenant;
}
