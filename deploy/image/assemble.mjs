import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/*
 * Copies what the built product needs to run into an empty folder: `node deploy/image/assemble.mjs OUT`. The Dockerfile's build stage
 * calls it after `npm run build`. Everything that the build has bundled, the embedded PostgreSQL and source maps are left out.
 */

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Files and folders of the project that are read at run time. */
export const ownFiles = [
  ".server",
  ".next",
  "LICENSE",
  "lib/access/common-passwords.bin",
  "lib/access/hashing-thread.mjs",
  "lib/server/tuning/copying-process.mjs",
  "lib/database/migrations",
  "next.config.js",
  "package.json",
  "public",
];

const isLeftOut = (path) =>
  /^\.next\/(cache|dev|diagnostics|types|trace)/.test(path) || /\.map$/.test(path);

/** Packages that the bundles import by name: `external` of scripts/build.mjs, next.config.js' serverExternalPackages, and those of Next. */
export const packages = [
  "@node-rs/argon2",
  "@node-rs/bcrypt",
  "next",
  "pg",
  "pino",
  "prom-client",
  "rate-limiter-flexible",
  "react",
  "react-dom",
];

/** Only resizes images and compiles, neither of which happens at run time. */
const unusedPackages = /^(sharp|@img\/|@next\/swc-|typescript$)/;

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;

/** Resolves a package as Node.js does: next to the importing one, or in a folder above. */
function resolvePackage(name, from) {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf("node_modules/"))) {
    const path = `${folder === "" ? "" : `${folder.replace(/\/$/, "")}/`}node_modules/${name}`;
    if (lock[path]) return path;
    if (folder === "") return undefined;
  }
}

/** The folders of the given packages and of everything that they depend on. */
export function packageFolders(names = packages) {
  const found = new Set();
  const visit = (name, from) => {
    const path = unusedPackages.test(name) ? undefined : resolvePackage(name, from);
    if (path === undefined || found.has(path)) return;
    found.add(path);
    const { dependencies, optionalDependencies } = lock[path];
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) visit(next, path);
  };
  for (const name of names) visit(name, "");
  return [...found].sort();
}

function copy(path, out) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  cpSync(join(root, path), join(out, path), {
    recursive: true,
    preserveTimestamps: true,
    // Next finds packages by its own links, which must stay relative.
    verbatimSymlinks: true,
    filter: (from) => !isLeftOut(from.slice(root.length + 1)),
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = resolve(process.argv[2] ?? "");
  if (process.argv[2] === undefined) throw new Error("Usage: node deploy/image/assemble.mjs OUT");
  rmSync(out, { recursive: true, force: true });
  for (const path of ownFiles) copy(path, out);
  // Packages for other systems are not installed.
  for (const path of packageFolders()) if (existsSync(join(root, path))) copy(path, out);
}
