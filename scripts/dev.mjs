import { bundle } from "./build.mjs";
import { base } from "./sources.mjs";

process.env.NODE_ENV = "development";
process.env.NEXT_TELEMETRY_DISABLED = "1";
process.argv.push("--dev");
await bundle(["server.ts"], ".server/dev");
await import(new URL(".server/dev/server.mjs", base).href);
