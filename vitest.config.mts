import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: [
      "lib/**/*.test.ts",
      "app/**/*.test.ts",
      "components/**/*.test.ts",
      "sdk/**/*.test.ts",
    ],
    globalSetup: [
      "./lib/database/testing/cluster.ts",
      "./lib/catalogue/testing/report-unobserved.ts",
    ],
    setupFiles: "./lib/database/testing/worker.ts",
    pool: "forks",
    // One more than the least machine has cores: many tests wait for a server, a process or a clock.
    maxWorkers: 3,
    // For what hangs: no test is judged by its time, and a busy machine may take a while.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 50_000 } },
  },
});
