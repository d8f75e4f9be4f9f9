import { credentialsOf, expect, expectAccessible, fillSignIn, test } from "./support/portal";

test.use({ tolerated: [/status of 401/] });

test("an expired session is renewed in place, and the form is submitted", async ({
  page,
  world,
  request,
}) => {
  const um = credentialsOf(world, "um");
  await page.goto(`/sign-in?next=/t/${um.tenant}/me`);
  await fillSignIn(page, um);
  await page.getByRole("button", { name: "Generate key" }).click();
  await page.getByLabel("Name").fill("typed before the end");
  const cookie = (await page.context().cookies())
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
  const ended = await request.delete("/v1/user/session", {
    headers: { cookie, "X-Service-Tenant": um.tenant, "Sec-Fetch-Site": "same-origin" },
  });
  expect(ended.status()).toBe(204);
  await page.getByRole("dialog").getByRole("button", { name: "Generate key" }).click();
  const again = page.getByRole("dialog", { name: "Your session has ended" });
  await expect(again).toBeVisible();
  await expectAccessible(page);
  await again.getByLabel("Password", { exact: true }).fill(um.password);
  await again.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText('Key "typed before the end" is ready')).toBeVisible();
});

test.describe("offline", () => {
  test.use({ tolerated: [/ERR_INTERNET_DISCONNECTED/] });
  test("a banner appears within two seconds, and the page recovers by itself", async ({
    page,
    context,
    world,
  }) => {
    const um = credentialsOf(world, "um");
    await page.goto(`/sign-in?next=/t/${um.tenant}/users`);
    await fillSignIn(page, um);
    await expect(page.getByRole("table", { name: "Users" })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await context.setOffline(true);
    await expect(page.getByText(/No connection\. The data is as of/)).toBeVisible();
    await expect(page.getByRole("table", { name: "Users" })).toBeVisible();
    const reached = page.waitForResponse((one) => one.ok() && one.url().endsWith("/healthz"));
    await context.setOffline(false);
    await reached;
    await expect(page.getByText(/No connection/)).toBeHidden();
  });
});
