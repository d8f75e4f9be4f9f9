import { defineConfig } from "@playwright/test";
import { browserFlags } from "./e2e/support/browser";

const browser = process.env.E2E_BROWSER;

/** The browser's own libraries are for the browser only: neither the product nor its PostgreSQL may load them. */
function browserEnv(): Record<string, string> {
  const given = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return {
    ...Object.fromEntries(given),
    ...(JSON.parse(process.env.E2E_BROWSER_ENV ?? "{}") as Record<string, string>),
  };
}

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "./e2e/support/global-setup.ts",
  fullyParallel: true,
  // Twice the cores of the least machine: pages wait for the network to be quiet, and for messages to go.
  workers: 4,
  retries: 0,
  // For what hangs: no test fails for its time, and a busy machine may take a while.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  reporter: [["list"], [require.resolve("./e2e/support/slowest-tests.ts")]],
  use: {
    viewport: { width: 1280, height: 800 },
    timezoneId: "Europe/Berlin",
    locale: "en-GB",
    ...(process.env.E2E_BASE_URL ? { baseURL: process.env.E2E_BASE_URL } : {}),
    launchOptions: {
      args: browserFlags,
      env: browserEnv(),
      ...(browser ? { executablePath: browser } : {}),
    },
    // A trace keeps the body of each response, which costs a tenth of the run: `--last-failed --trace on` makes one of what failed.
    trace: "off",
    screenshot: "only-on-failure",
  },
});
