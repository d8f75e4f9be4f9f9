import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildAll, bundle } from "./build.mjs";
import { isStale, root } from "./sources.mjs";

process.env.NODE_ENV = "production";
if (isStale()) await buildAll();
await bundle(["bench/main.ts", "bench/load.ts", "bench/bare.ts", "bench/kill9.ts"], ".door");
const isKill = process.argv[2] === "kill9";
const script = join(root, ".door", "bench", isKill ? "kill9.mjs" : "main.mjs");
const { status } = spawnSync(process.execPath, [script, ...process.argv.slice(isKill ? 3 : 2)], { stdio: "inherit" });
process.exit(status ?? 1);
