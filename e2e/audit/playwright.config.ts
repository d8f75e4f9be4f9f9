import { defineConfig } from "@playwright/test";
import base from "@/playwright.config";

/** `npm run audit:ui`: Lighthouse, interactions, hovering and a minute offline on the built product. Not part of the tests. */
export default defineConfig({
  ...base,
  testDir: ".",
  testMatch: "audit.ts",
  outputDir: "../../test-results/audit",
  globalSetup: "../support/global-setup.ts",
  workers: 1,
  timeout: 3_600_000,
});
