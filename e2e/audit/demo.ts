import { test as base, enterDemo } from "@/e2e/support/portal";

type State = Awaited<ReturnType<import("@playwright/test").BrowserContext["storageState"]>>;

/** Tests as the demo's administrator, who signs in once, because the printed password is valid only for the first sign-in. */
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

/** A line of figures, each padded to the width of its heading. */
export const print = (line: string) => process.stdout.write(`${line}\n`);

/** The quantile of the values. */
export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
