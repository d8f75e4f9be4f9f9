import { test as base, enterDemo } from "@/e2e/support/portal";

type State = Awaited<ReturnType<import("@playwright/test").BrowserContext["storageState"]>>;

/** Tests as the demo's administrator, who signs in once: the password that the product printed holds for the first sign-in only. */
export const test = base.extend<object, { administrator: State }>({
  administrator: [
    async ({ browser }, use) => {
      const context = await browser.newContext({ baseURL: process.env.E2E_BASE_URL ?? "" });
      const page = await context.newPage();
      await enterDemo(page);
      const state = await context.storageState();
      await context.close();
      await use(state);
    },
    { scope: "worker" },
  ],
  storageState: async ({ administrator }, use) => use(administrator),
});

/** A line of figures, each as wide as its heading. */
export const print = (line: string) => process.stdout.write(`${line}\n`);

/** The value below which this share of the values lies. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
