import { base, isStale } from "./sources.mjs";

process.env.NODE_ENV = "production";
process.env.NEXT_TELEMETRY_DISABLED = "1";
if (isStale()) {
  process.stdout.write("Building Gatehouse. This takes about a minute, once.\n");
  const { buildAll } = await import("./build.mjs");
  await buildAll({ onlyIfStale: true });
}
await import(new URL(".door/server.mjs", base).href);
