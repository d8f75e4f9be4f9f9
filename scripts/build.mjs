import { spawnSync } from "node:child_process";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { isStale, root, sourceFiles, stamp } from "./sources.mjs";

/** Bundles programs for Node, which reads no TypeScript: one entry per file, and what they share is evaluated once. */
export async function bundle(entryPoints, outdir) {
  await build({
    absWorkingDir: root,
    entryPoints,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    sourcemap: true,
    outdir,
    outbase: ".",
    outExtension: { ".js": ".mjs" },
    logLevel: "warning",
  });
}

/** The front door, the routes it answers and the commands. */
export async function buildDoor() {
  const routes = sourceFiles().filter((file) => /^app[\\/](?!api[\\/]).*route\.ts$/.test(file));
  const commands = sourceFiles().filter((file) => /^scripts[\\/][\w-]+\.ts$/.test(file));
  rmSync(join(root, ".door"), { recursive: true, force: true });
  await bundle(["server.ts", ...routes, ...commands], ".door");
}

function buildPages() {
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  const { status } = spawnSync(process.execPath, [next, "build"], { cwd: root, stdio: "inherit", env });
  if (status !== 0) process.exit(status ?? 1);
}

/** Both builds. The stamp is written last: a build that was broken off is no build. */
export async function buildAll() {
  const beganAt = new Date();
  await buildDoor();
  buildPages();
  writeFileSync(stamp, "");
  utimesSync(stamp, beganAt, beganAt);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isWanted = isStale() || !process.argv.includes("--if-stale");
  if (process.argv.includes("--door")) await buildDoor();
  else if (isWanted) await buildAll();
}
