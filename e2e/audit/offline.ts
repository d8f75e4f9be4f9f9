import type { BrowserContext, Locator, Page } from "@playwright/test";
import { portalStops, publicStops } from "@/e2e/tour/stops";
import { codeArrived } from "./interactions";

/** Every page that the tour visits behind sign-in, and the documentation, which makes no calls and so shows no notice. */
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
  /** The kind of field that has the typed text. */
  field: "dialog" | "search" | "";
}

export interface Trial {
  path: string;
  /** From the reconnection until the page shows that it is online again; NaN if it never showed that it was offline. */
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

/** Opens a form or a search while offline and types into it; code that is loaded on demand is missing. */
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

/** Runs in the page: records when it had a connection again, and when it showed this. */
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

/** Whether shortcuts still work: opens the palette, or the search on a page of the documentation. */
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

/** Opens every page in a separate tab, goes offline for a minute, and returns the results. */
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
