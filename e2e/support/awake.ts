import type { BrowserContext } from "@playwright/test";

/**
 * Runs in the page: marks it until React has hydrated every control and the page is idle. A click before that is lost,
 * and so is a key, because key listeners are added after elements are shown.
 */
export function markUntilAwake(): void {
  const controls = () => [...document.querySelectorAll("a[href], button, input, select, textarea")];
  const answers = (control: Element) =>
    Object.keys(control).some((name) => name.startsWith("__reactProps$"));
  const isOurs = () => document.querySelector('script[src^="/_next/"]') !== null;
  const look = () => {
    const root = document.documentElement as HTMLElement | null;
    const loading = document.readyState === "loading" || !root;
    root?.setAttribute("data-asleep", "");
    if (!loading && (!isOurs() || controls().every(answers)))
      return requestIdleCallback(() => root.removeAttribute("data-asleep"));
    setTimeout(look, loading ? 5 : 20);
  };
  look();
}

/** Makes actions on pages of this context wait until the page is interactive, because a test is faster than any user. */
export async function actWhenAwake(context: BrowserContext): Promise<void> {
  await context.addInitScript(markUntilAwake);
  context.on("page", async (page) => {
    const asleep = page.locator("html[data-asleep]");
    const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
    const onceAwake = async <Answer>(answer: Answer): Promise<Answer> => {
      await asleep.waitFor({ state: "detached" });
      return answer;
    };
    page.goto = async (...given) => onceAwake(await goto(...given));
    page.reload = async (...given) => onceAwake(await reload(...given));
    await page.addLocatorHandler(asleep, async () => undefined);
  });
}
