import type { Page } from "@playwright/test";

interface Act {
  name: string;
  run: (page: Page) => Promise<unknown>;
}

export interface Scene {
  path: string;
  /** The interactions on the page, in order. */
  acts: Act[];
}

const press = (key: string): Act => ({
  name: `press ${key}`,
  run: (page) => page.keyboard.press(key),
});
const click = (name: string | RegExp): Act => ({
  name: `click ${name}`,
  run: (page) => page.getByRole("button", { name }).first().click(),
});
const tick: Act = {
  name: "tick an entry of the menu",
  run: (page) => page.getByRole("menuitemcheckbox").first().click(),
};
const switchSeries: Act = {
  name: "switch a series off",
  run: (page) => page.getByRole("table", { name: "Series" }).getByRole("button").first().click(),
};

/** Presses keys one after the other, each as a separate interaction. */
const type = (text: string): Act => ({
  name: `type ${text}`,
  run: (page) => page.keyboard.type(text, { delay: 120 }),
});
const search = (text: string) => [press("/"), type(text), press("Escape")];
/** Opens a dialog by its button, types into it and closes it. */
const dialog = (name: string) => [click(name), type("winter"), press("Escape"), press("Escape")];
const palette = [press("Control+k"), type("users"), press("Escape")];

/** The main pages with their most frequent interactions: a search, sorting, a menu, a filter, a dialog. */
export const scenes: Scene[] = [
  { path: "/t/demo", acts: [...palette, click(/account and settings/), press("Escape")] },
  {
    path: "/t/demo/users",
    acts: [
      ...search("mar"),
      click("Login"),
      click("Columns"),
      tick,
      press("Escape"),
      ...dialog("Invite user"),
      ...palette,
    ],
  },
  { path: "/t/demo/keys", acts: [click("Never used"), click("Never used"), ...search("a")] },
  { path: "/t/demo/me", acts: dialog("Generate key") },
  { path: "/t/demo/audit", acts: [press("?"), press("Escape"), ...palette] },
  { path: "/t/demo/requests", acts: [...palette] },
  { path: "/t/demo/alerts", acts: dialog("Create alert") },
  { path: "/t/demo/webhooks", acts: dialog("Create webhook") },
  { path: "/t/demo/settings", acts: dialog("Add site") },
  { path: "/t/demo/sites/eu-store/customers", acts: dialog("Create customer") },
  {
    path: "/t/demo/sites/eu-store/previews",
    acts: [...search("win"), ...dialog("Create preview")],
  },
  {
    path: "/t/demo/metrics",
    acts: [
      ...[click(/^Group/), tick, press("Escape"), press("t"), press("t")],
      ...[switchSeries, switchSeries, click(/^Last/), click("Last 7 days")],
      ...[switchSeries, click(/^Last/), click("Last 6 h")],
    ],
  },
  { path: "/docs/get-v1-user-list", acts: [...search("key")] },
];

/** Runs in the page: records the longest event of each interaction. */
function observe(): void {
  const longest = new Map<number, number>();
  Object.assign(window, { longest });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
      if (entry.interactionId > 0)
        longest.set(
          entry.interactionId,
          Math.max(entry.duration, longest.get(entry.interactionId) ?? 0),
        );
  }).observe({ type: "event", durationThreshold: 16, buffered: true } as PerformanceObserverInit);
}

/** Throttles the CPU to a quarter of its speed from now on. */
export async function slowDown(page: Page): Promise<void> {
  const wire = await page.context().newCDPSession(page);
  await wire.send("Emulation.setCPUThrottlingRate", { rate: 4 });
}

/** Waits until the code of dialogs and menus has been fetched, on pages that fetch any. */
export const codeArrived = (page: Page) =>
  page
    .waitForFunction(() => performance.getEntriesByName("gatehouse.prefetched").length > 0, null, {
      timeout: 15_000,
    })
    .catch(() => undefined);

/** Waits as a user would, so that the last action completes. */
export const pause = (page: Page, ms = 400) => page.waitForTimeout(ms);

interface Played {
  act: string;
  /** Milliseconds to the next paint, at least 16. */
  ms: number;
}

const reported = (page: Page) =>
  page.evaluate(() => [...(window as unknown as { longest: Map<number, number> }).longest]);

/** Plays a scene with the CPU throttled to a quarter, once the code of dialogs and menus is loaded. */
export async function play(page: Page, { path, acts }: Scene): Promise<Played[]> {
  await page.addInitScript(observe);
  await page.goto(path, { waitUntil: "networkidle" });
  await codeArrived(page);
  await slowDown(page);
  const played = new Map<number, Played>();
  for (const { name, run } of acts) {
    await run(page);
    await pause(page);
    for (const [id, ms] of await reported(page))
      played.set(id, { act: played.get(id)?.act ?? name, ms });
  }
  return [...played.values()];
}
