import { actWhenAwake } from "./support/awake";
import { expect, expectAccessible, fillSignIn, test } from "./support/portal";

const person = { login: "ada", password: "four words in a row" };

type SeenThemes = { at: number; theme: string | undefined }[];

/** Records changes of the page's theme from before its first byte. */
function watchTheme(): void {
  const seen: SeenThemes = [];
  Object.assign(window, { seenThemes: seen });
  const look = () => {
    const theme = document.documentElement?.dataset.theme;
    if (seen.at(-1)?.theme !== theme) seen.push({ at: performance.now(), theme });
  };
  new MutationObserver(look).observe(document, {
    attributes: true,
    childList: true,
    subtree: true,
  });
}

/** The time of the first paint of text, and the recorded themes. */
function paintAndThemes(): Promise<[number, SeenThemes]> {
  const { seenThemes } = window as unknown as { seenThemes: SeenThemes };
  return new Promise((resolve) => {
    new PerformanceObserver((list, observer) => {
      const [first] = list.getEntriesByName("first-contentful-paint");
      if (first === undefined) return;
      observer.disconnect();
      resolve([first.startTime, seenThemes]);
    }).observe({ type: "paint", buffered: true });
  });
}

test("a chosen preference applies at once, and on another device from the first painted text", async ({
  page,
  browser,
  baseURL,
}) => {
  const tenant = `e2e-prefs-${Date.now()}`;
  const body = {
    tenant,
    site: "shop",
    name: "Ada Example",
    emailAddress: "ada@example.com",
    ...person,
  };
  expect((await page.request.post("/v1/signup", { data: body })).status()).toBe(201);
  await page.goto(`/sign-in?next=/t/${tenant}/me`);
  await fillSignIn(page, { tenant, ...person });
  await expect(page).toHaveURL(new RegExp(`^http://[^/]+/t/${tenant}/me$`));

  const section = page.locator("#preferences");
  const rows = page.getByRole("table", { name: "Your sessions" }).getByRole("row");
  const before = (await rows.last().boundingBox())?.height ?? 0;
  await expect(section).toContainText("15:00 Berlin = 2 Dec 2026, 14:00 UTC");
  await section.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await expect(section).toContainText("2 Dec 2026, 23:00 Tokyo");
  await section.getByLabel("Date format").selectOption("de-DE");
  await expect(section).toContainText("2. Dez. 2026, 23:00 Tokyo");
  await section.getByText("Compact").click();
  await expect.poll(async () => (await rows.last().boundingBox())?.height).toBeLessThan(before);
  const kept = page.waitForResponse(
    (answer) =>
      answer.url().endsWith("/v1/user/preferences") &&
      answer.request().postDataJSON()?.theme === "dark" &&
      answer.ok(),
  );
  await section.getByText("Dark", { exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await kept;
  await expectAccessible(page);

  const device = await browser.newContext({
    ...(baseURL ? { baseURL } : {}),
    colorScheme: "light",
    timezoneId: "Europe/Paris",
  });
  await actWhenAwake(device);
  const next = await device.newPage();
  const said: string[] = [];
  next.on("console", (message) => said.push(message.text()));
  await next.goto(`/sign-in?next=/t/${tenant}/me`);
  await next.addInitScript(watchTheme);
  await fillSignIn(next, { tenant, ...person });
  await expect(next).toHaveURL(new RegExp(`^http://[^/]+/t/${tenant}/me$`));
  await expect(next.locator("#preferences")).toContainText("2. Dez. 2026, 23:00 Tokyo");
  await expect(next.locator("#preferences").getByLabel("Compact")).toBeChecked();
  const [paintedAt, themes] = await next.evaluate(paintAndThemes);
  expect(
    themes.filter(({ at }) => at <= paintedAt).at(-1)?.theme,
    "the theme when the first text is painted",
  ).toBe("dark");
  expect(themes.filter(({ at, theme }) => at > paintedAt && theme !== "dark")).toEqual([]);
  expect((await next.content()).includes('data-density="compact"')).toBe(true);
  expect(said).toEqual([]);
  await device.close();
});
