import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildAll, bundle } from "./build.mjs";
import { isStale, root } from "./sources.mjs";

process.env.NODE_ENV = "production";
if (isStale()) await buildAll();
await bundle(["bench/main.ts", "bench/load.ts", "bench/bare.ts", "bench/kill9.ts", "bench/metrics/main.ts", "bench/metrics/kills.ts"], ".door");
const own = { kill9: "kill9.mjs", metrics: "metrics/main.mjs", "metrics-kills": "metrics/kills.mjs" }[process.argv[2] ?? ""];
const script = join(root, ".door", "bench", own ?? "main.mjs");
const { status } = spawnSync(process.execPath, [script, ...process.argv.slice(own ? 3 : 2)], { stdio: "inherit" });
process.exit(status ?? 1);
