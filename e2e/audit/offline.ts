import type { BrowserContext, Locator, Page } from "@playwright/test";
import { portalStops, publicStops } from "@/e2e/tour/stops";
import { codeArrived } from "./interactions";

/** Every page that the tour visits behind sign-in, and the documentation, which reads nothing and so says nothing. */
const paths = [
  ...new Set([
    ...portalStops.map(({ path }) => `/t/demo${path}`),
    ...publicStops.filter(({ name }) => name.startsWith("docs")).map(({ path }) => path),
  ]),
].filter((path) => !path.endsWith("nothing-here"));

const typed = "kept";
const opener = /^(Create|Invite|Add|Generate) /;

interface Tab {
  path: string;
  page: Page;
  heading: string;
  /** Where something was typed. */
  field: "dialog" | "search" | "";
}

export interface Trial {
  path: string;
  /** From the connection until the page says that it has one again; NaN where it never said that it had none. */
  backMs: number;
  field: string;
  faults: string[];
}

const fieldOf = (page: Page) =>
  page.getByRole("dialog").getByRole("textbox").or(page.getByRole("main").getByRole("searchbox"));

async function open(context: BrowserContext, path: string): Promise<Tab> {
  const page = await context.newPage();
  await page.goto(path);
  const heading = (await page.locator("main h1").first().textContent()) ?? "";
  return { path, page, heading, field: "" };
}

/** Opens a form or a search without a connection and types into it; code that is fetched when it is asked for is not there. */
async function act(tab: Tab): Promise<void> {
  const { page } = tab;
  const button = page.getByRole("main").getByRole("button", { name: opener });
  const isForm = (await button.count()) > 0;
  if (!isForm && (await fieldOf(page).count()) === 0) return;
  if (isForm) await button.first().click();
  await fieldOf(page).first().fill(typed, { timeout: 5000 });
  tab.field = isForm ? "dialog" : "search";
}

interface Seen {
  wasSaid: boolean;
  onlineAt: number;
  backAt: number;
}

/** Runs in the page: when it had a connection again, and when it said so. */
function watch(): void {
  const said = () => document.body.textContent.includes("No connection. The data is as of");
  const seen: Seen = { wasSaid: said(), onlineAt: Number.NaN, backAt: Number.NaN };
  Object.assign(window, { seen });
  window.addEventListener("online", () => {
    seen.onlineAt = performance.now();
    const timer = setInterval(() => {
      if (said()) return;
      seen.backAt = performance.now();
      clearInterval(timer);
    }, 20);
  });
}

const within = (shown: Locator) =>
  shown
    .first()
    .waitFor({ timeout: 3000 })
    .then(
      () => true,
      () => false,
    );

/** Whether keys still open something: the palette, or on a page of the documentation its search. */
async function isAlive({ page, path }: Tab): Promise<boolean> {
  for (const key of ["Escape", "Escape", path.startsWith("/t/") ? "Control+k" : "/"])
    await page.keyboard.press(key);
  return within(path.startsWith("/t/") ? page.getByRole("combobox") : page.locator("input:focus"));
}

async function judge(tab: Tab): Promise<Trial> {
  const { page, path, field, heading } = tab;
  const { wasSaid, onlineAt, backAt } = await page.evaluate(
    () => (window as unknown as { seen: Seen }).seen,
  );
  const body = (await page.locator("body").textContent()) ?? "";
  const text = () => fieldOf(page).first().inputValue({ timeout: 2000 });
  const faults = {
    "did not say that it had no connection": path.startsWith("/t/") && !wasSaid,
    "was not back within 3 s": !(backAt - onlineAt <= 3000),
    "another heading": (await page.locator("main h1").first().textContent()) !== heading,
    "still failed": /could not be (shown|loaded)|Not updated/.test(body),
    "lost what was typed": field !== "" && (await text().catch(() => "gone")) !== typed,
    "dead to keys": !(await isAlive(tab)),
  };
  const found = Object.entries(faults).flatMap(([name, isSo]) => (isSo ? [name] : []));
  return { path, backMs: backAt - onlineAt, field, faults: found };
}

/** Every page in a separate tab, a minute without a connection, and what became of it. */
export async function trial(context: BrowserContext, awayMs = 60_000): Promise<Trial[]> {
  const tabs: Tab[] = [];
  for (const path of paths) tabs.push(await open(context, path));
  await Promise.all(tabs.map(({ page }) => codeArrived(page)));
  await context.setOffline(true);
  const lostAt = Date.now();
  for (const tab of tabs) await act(tab).catch(() => undefined);
  const rest = lostAt + awayMs - Date.now();
  await tabs[0]?.page.waitForTimeout(Math.max(0, rest));
  for (const { page } of tabs) await page.evaluate(watch);
  await context.setOffline(false);
  await tabs[0]?.page.waitForTimeout(4000);
  const trials: Trial[] = [];
  for (const tab of tabs) trials.push(await judge(tab));
  return trials;
}
