import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

/** Entries that run everywhere; further ones run only on Node. */
const portable = ["src/index.ts", "src/middleware.ts"];
const forNode = ["src/cli.ts"];

/** Writes a file only if its text differs, so that watchers see no change. */
function writeChanged(file, text) {
  try {
    if (readFileSync(file, "utf8") === text) return;
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  writeFileSync(file, text);
}

/** Writes the types and methods, src/generated-*.ts, from docs/api/v1.json. They are not in git: code that reads them calls this first. */
export async function generateSource() {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ["generator/client-source.ts"],
    tsconfig: "../tsconfig.json",
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
  });
  const address = `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`;
  const { clientSource } = await import(address);
  const document = JSON.parse(readFileSync(join(folder, "..", "docs", "api", "v1.json"), "utf8"));
  for (const [name, text] of Object.entries(clientSource(document)))
    writeChanged(join(folder, "src", name), text);
}

/** The setup hook of Vitest. */
export async function setup() {
  await generateSource();
}

/** Builds the package into a folder: one module for each entry, and the declarations of all of them. */
export async function buildClient(outdir = join(folder, "dist")) {
  await generateSource();
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--generate")) await generateSource();
  else await buildClient();
}
