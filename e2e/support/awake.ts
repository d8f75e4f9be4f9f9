import type { BrowserContext } from "@playwright/test";

/** Runs in the page: marks it until React answers on every control, as a click before that goes nowhere. */
function markUntilAwake(): void {
  const controls = () => [...document.querySelectorAll("a[href], button, input, select, textarea")];
  const answers = (control: Element) =>
    Object.keys(control).some((name) => name.startsWith("__reactProps$"));
  const isOurs = () => document.querySelector('script[src^="/_next/"]') !== null;
  const look = () => {
    const root = document.documentElement as HTMLElement | null;
    const loading = document.readyState === "loading" || !root;
    if (!loading && (!isOurs() || controls().every(answers)))
      return root.removeAttribute("data-asleep");
    root?.setAttribute("data-asleep", "");
    setTimeout(look, loading ? 5 : 20);
  };
  look();
}

/** A script is faster than any person: what it does to a page of this context waits until the page has come alive. */
export async function actWhenAwake(context: BrowserContext): Promise<void> {
  await context.addInitScript(markUntilAwake);
  context.on("page", async (page) => {
    const asleep = page.locator("html[data-asleep]");
    const goto = page.goto.bind(page);
    page.goto = async (...given) => {
      const answer = await goto(...given);
      await asleep.waitFor({ state: "detached" });
      return answer;
    };
    await page.addLocatorHandler(asleep, async () => undefined);
  });
}
