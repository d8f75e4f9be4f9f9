// Lists the project's files that run in one warm request: `node scripts/files-of-a-request.mjs`.
// V8 counts the calls of every function (inspector, Profiler.takePreciseCoverage) in the process that responds. A file counts
// when one of its functions is called in each of several requests: loading a module and timers do not count.
// Fails if an operation runs more files than its limit: the limits only go down.
import { startVitest } from "vitest/node";

const vitest = await startVitest("test", ["scripts/files-of-a-request"], {
  include: ["scripts/files-of-a-request.measure.ts"],
  watch: false,
  reporters: ["default"],
});
await vitest.close();
