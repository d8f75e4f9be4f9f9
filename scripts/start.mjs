import { base, isStale } from "./sources.mjs";

process.env.NODE_ENV = "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";

/** Prints how long the build takes in one line: counting on a terminal, printed twice in a file. */
function showProgress() {
  const startedAt = performance.now();
  const { isTTY } = process.stdout;
  const write = (end) => {
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    process.stdout.write(`${isTTY ? "\r" : ""}Building Gatehouse, once: ${seconds} s${end}`);
  };
  write(isTTY ? "" : ", of about a minute\n");
  const counting = isTTY ? setInterval(write, 1000, "") : undefined;
  return () => {
    clearInterval(counting);
    write("\n");
  };
}

if (isStale()) {
  const { buildAll } = await import("./build.mjs");
  const endProgress = showProgress();
  await buildAll({ onlyIfStale: true, isQuiet: true }).finally(endProgress);
}
await import(new URL(".server/server.mjs", base).href);
