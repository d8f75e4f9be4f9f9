import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = dirname(fileURLToPath(import.meta.url));
const compiler = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin",
  "tsc",
);

/** Entries that run everywhere, and those that run on Node only. */
const portable = ["src/index.ts", "src/middleware.ts"];
const forNode = ["src/cli.ts"];

/** Builds the package into a folder: one module for each entry, and the declarations of all of them. */
export async function buildClient(outdir = join(folder, "dist")) {
  rmSync(outdir, { recursive: true, force: true });
  const common = {
    absWorkingDir: folder,
    bundle: true,
    format: "esm",
    target: "es2022",
    outdir,
    outbase: "src",
    logLevel: "warning",
  };
  await build({ ...common, entryPoints: portable, platform: "neutral" });
  await build({ ...common, entryPoints: forNode, platform: "node", target: "node20" });
  chmodSync(join(outdir, "cli.js"), 0o755);
  const { status, stdout } = spawnSync(
    process.execPath,
    [compiler, "-p", folder, "--outDir", outdir],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`the declarations cannot be built: ${stdout}`);
  return outdir;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildClient();
