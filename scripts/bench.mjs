import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { buildAll, bundle } from "./build.mjs";
import { isStale, root } from "./sources.mjs";

process.env.NODE_ENV = "production";
if (isStale()) await buildAll();
/** Programs of their own, beside the cases that main.ts measures. */
const programs = ["kill9", "kill9-customers", "login-flood"];
await bundle(["bench/main.ts", "bench/load.ts", "bench/bare.ts", ...programs.map((name) => `bench/${name}.ts`)], ".door");
const program = programs.find((name) => name === process.argv[2]);
const script = join(root, ".door", "bench", `${program ?? "main"}.mjs`);
const { status } = spawnSync(process.execPath, [script, ...process.argv.slice(program ? 3 : 2)], { stdio: "inherit" });
process.exit(status ?? 1);
