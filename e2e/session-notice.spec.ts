import type { Page } from "@playwright/test";
import { expectSoundInEveryLook, firstLook } from "./support/looks";
import { enterOwnTenant } from "./support/own-tenant";
import { expect, fillSignIn, test } from "./support/portal";
import { callAs } from "./support/service-calls";

test.use(firstLook);

const notice = (page: Page) => page.getByRole("region", { name: "End of the session" });
const me = (tenant: string) => `/t/${tenant}/me`;

test("a notice appears once before the idle expiry, and staying signed in extends the session", async ({
  page,
}) => {
  await page.clock.install();
  const tenant = await enterOwnTenant(page, "idle");
  await page.goto(me(tenant), { waitUntil: "networkidle" });
  await page.clock.fastForward("26:00");
  await expect(notice(page)).toBeHidden();
  await page.clock.fastForward("01:30");
  await expect(notice(page).getByRole("status")).toHaveText(
    /^Your session ends at \d\d:\d\d unless you use it\.$/,
  );
  await expectSoundInEveryLook(page);
  const used = page.waitForResponse((one) => one.url().endsWith("/v1/user/session"));
  await notice(page).getByRole("button", { name: "Stay signed in" }).click();
  expect((await used).status()).toBe(200);
  await expect(notice(page)).toBeHidden();

  await page.clock.fastForward("27:30");
  await expect(notice(page)).toBeVisible();
  const second = await page.context().newPage();
  await second.goto(me(tenant));
  await expect(notice(page), "another tab has used the session").toBeHidden();
  await second.close();

  await page.clock.fastForward("27:30");
  await notice(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(notice(page)).toBeHidden();
  await page.clock.fastForward("00:30");
  await expect(notice(page), "once for this end").toBeHidden();
});

test("before the absolute expiry the user can sign in again, and keeps typed text", async ({
  page,
}) => {
  // Without passkeys the form requests no challenge, whose response would correct the page's shifted clock.
  await page.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
  await page.clock.install();
  const tenant = await enterOwnTenant(page, "ends");
  const policy = await callAs(page, "GET /v1/tenant/security-policy", { tenant });
  const set = await callAs(page, "PUT /v1/tenant/security-policy", {
    tenant,
    data: { sessionIdle: "PT30M", sessionAbsolute: "PT30M" },
    headers: { "If-Match": policy.headers().etag ?? "" },
  });
  expect(set.status(), await set.text()).toBe(200);
  await page.goto("/sign-in");
  const ada = { tenant, login: "ada", password: "four words in a row" };
  await fillSignIn(page, ada);
  await expect(page).toHaveURL(new RegExp(`/t/${tenant}$`));
  await page.goto(me(tenant), { waitUntil: "networkidle" });
  const sessions = async () =>
    (await (await callAs(page, "GET /v1/user/sessions", { tenant })).json()).length;
  const before = await sessions();
  await page.clock.fastForward("27:30");
  const ends = /^Your session ends at \d\d:\d\d\. Sign in again now to keep working/;
  await expect(notice(page).getByRole("status")).toHaveText(ends);
  await expectSoundInEveryLook(page);

  await notice(page).getByRole("button", { name: "Sign in again" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await expect(dialog).toContainText("Everything on this page stays as it is.");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page, "signing in later leaves the page").toHaveURL(new RegExp(me(tenant)));
  await notice(page).getByRole("button", { name: "Sign in again" }).click();
  await dialog.getByLabel("Password", { exact: true }).fill(ada.password);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(dialog).toBeHidden();
  await expect(notice(page)).toBeHidden();
  await expect.poll(sessions, "the new session replaces the old one").toBe(before);
});
