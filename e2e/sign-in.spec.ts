import { credentialsOf, expect, fillSignIn, test } from "./support/portal";

test.use({ tolerated: [/status of 401/] });

test("the correct password opens the requested page", async ({ page, world }) => {
  const { tenant, ...rest } = credentialsOf(world, "um");
  await page.goto(`/t/${tenant}/users`);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await expect(page.getByLabel("Tenant")).toHaveValue(tenant);
  await fillSignIn(page, { tenant, ...rest });
  await expect(page).toHaveURL(new RegExp(`^http://[^/]+/t/${tenant}/users$`));
  await expect(page.getByRole("heading", { name: "Users" })).toBeVisible();
});

test("the tenant is remembered, the login is not", async ({ page, world }) => {
  const low = credentialsOf(world, "low");
  await page.goto("/sign-in");
  await fillSignIn(page, low);
  await expect(page).toHaveURL(new RegExp(`/t/${low.tenant}$`));
  await page.context().clearCookies();
  await page.goto("/sign-in");
  await expect(page.getByLabel("Tenant")).toHaveValue(low.tenant);
  await expect(page.getByLabel("Login")).toHaveValue("");
});

test("401: the same message for a wrong password and an unknown login", async ({ page, world }) => {
  const um = credentialsOf(world, "um");
  const words: (string | undefined)[] = [];
  for (const login of [um.login, "nobody-of-this-name"]) {
    await page.goto("/sign-in");
    await fillSignIn(page, { ...um, login, password: "not the password at all" });
    const notice = page
      .getByRole("alert")
      .filter({ hasText: "Incorrect tenant, login or password" });
    await expect(notice).toContainText(/Request \S+/);
    words.push((await notice.textContent())?.replace(/Request \S+/, ""));
  }
  expect(words[0]).toContain("Check all three and try again");
  expect(words[1]).toBe(words[0]);
});

test("403: a locked user with the correct password sees that the account is locked", async ({
  page,
  world,
}) => {
  await page.goto("/sign-in");
  await fillSignIn(page, credentialsOf(world, "locked"));
  await expect(page.getByRole("alert").filter({ hasText: "Your account is locked" })).toBeVisible();
  await expect(page).toHaveURL(/\/sign-in$/);
});

test("429: after too many failures a countdown is shown, and the button is disabled", async ({
  page,
  world,
}) => {
  const guess = {
    tenant: credentialsOf(world, "um").tenant,
    login: "somebody-who-guesses",
    password: "guessing again",
  };
  // The wait may be only a second, so the clock stands still until the countdown was seen.
  const now = Date.now();
  await page.clock.setFixedTime(now);
  await page.goto("/sign-in");
  const isHeld = async () => {
    const answering = page.waitForResponse(/\/api\/auth\/callback\/credentials/);
    await fillSignIn(page, guess);
    return (await (await answering).text()).includes("retryAfterSeconds");
  };
  // From the sixth failure on each one doubles the wait, so a guess soon falls within it.
  for (let held = false; !held; ) held = await isHeld();
  await expect(page.getByText(/Try again in (\d+ min )?\d+ s/)).toBeVisible();
  const button = page.getByRole("button", { name: "Sign in" });
  await expect(button).toBeDisabled();
  await page.clock.setFixedTime(now + 15 * 60_000 + 1000);
  await expect(page.getByText("You can try again now")).toBeVisible();
  await expect(button).toBeEnabled();
});

test("an address of another site is not followed after signing in", async ({ page, world }) => {
  const low = credentialsOf(world, "low");
  await page.goto("/sign-in?next=https://example.com/t/x");
  await fillSignIn(page, low);
  await expect(page).toHaveURL(new RegExp(`^http://localhost:\\d+/t/${low.tenant}$`));
});

test("signing out ends the session in the store, not only in the browser", async ({
  page,
  world,
  request,
}) => {
  const low = credentialsOf(world, "low");
  await page.goto("/sign-in");
  await fillSignIn(page, low);
  await expect(page).toHaveURL(/\/t\//);
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const ask = () =>
    request.get("/v1/user/session", { headers: { cookie, "X-Service-Tenant": low.tenant } });
  expect((await ask()).status()).toBe(200);
  await page.getByRole("button", { name: /account and settings/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  expect((await ask()).status()).toBe(401);
  expect(cookies.find(({ name }) => name.includes("session-token"))?.httpOnly).toBe(true);
});
