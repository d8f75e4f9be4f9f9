import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The same folder for import(), as a URL. */
export const base = pathToFileURL(`${root}/`);
/** Its modification time is the start of the last complete build. */
export const stamp = join(root, ".server", "built");

const sources = [
  "app",
  "components",
  "docs/api/changes.json",
  "docs/guides",
  "lib",
  "public",
  "scripts",
  "server.ts",
  "instrumentation.tsx",
  "next.config.js",
  "postcss.config.js",
  "package-lock.json",
];

/** Every file below the sources, as paths from the project's folder. */
export function sourceFiles() {
  return sources.flatMap((source) => {
    const path = join(root, source);
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found?.isDirectory()) return found ? [source] : [];
    return readdirSync(path, { recursive: true }).map((file) => join(source, String(file)));
  });
}

/** Whether there is no build, or a source newer than it. */
export function isStale() {
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return true;
  return sourceFiles().some(
    (file) => !file.includes(".test.") && statSync(join(root, file)).mtimeMs > built,
  );
}
