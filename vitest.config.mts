import { defineConfig } from "vitest/config";
import type { Reporter, TestModule } from "vitest/node";

function secondsOf(module: TestModule): number {
  const { setupDuration, collectDuration, duration } = module.diagnostic();
  return (setupDuration + collectDuration + duration) / 1000;
}

/** Prints at the end which files took longest, setup and imports included. */
const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    const slowest = [...modules].sort((a, b) => secondsOf(b) - secondsOf(a)).slice(0, 10);
    const lines = slowest.map(
      (module) => `${secondsOf(module).toFixed(1).padStart(6)} s  ${module.relativeModuleId}`,
    );
    process.stdout.write(`\nSlowest files:\n${lines.join("\n")}\n`);
  },
};

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: [
      "lib/**/*.test.ts",
      "app/**/*.test.ts",
      "components/**/*.test.ts",
      "sdk/**/*.test.ts",
      "scripts/files-of-a-request.measure.ts",
    ],
    globalSetup: [
      "./sdk/build.mjs",
      "./lib/database/testing/cluster.ts",
      "./lib/catalogue/testing/report-unobserved.ts",
    ],
    setupFiles: ["./lib/database/testing/fresh-process.ts", "./lib/database/testing/worker.ts"],
    sequence: { setupFiles: "list" },
    pool: "forks",
    // One process for all files of a worker: fresh-process.ts makes it as good as new before each.
    isolate: false,
    reporters: ["default", slowestFiles],
    // Twice the cores of the least machine: many tests wait for a server, a process or a clock.
    maxWorkers: 4,
    // For what hangs: no test fails for its time, and a busy machine may take a while.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 100_000 } },
  },
});
