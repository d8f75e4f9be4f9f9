import { defineConfig } from "@playwright/test";
import base from "@/playwright.config";

/** `npm run tour`: pictures of every page, in `tour/`. Not part of the tests. */
export default defineConfig({
  ...base,
  testDir: ".",
  testMatch: "tour.ts",
  outputDir: "../../test-results/tour",
  globalSetup: "../support/global-setup.ts",
  workers: 1,
  timeout: 900_000,
});
