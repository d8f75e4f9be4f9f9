/**
 * Gives every entry of package-lock.json the address of its archive and its checksum, and binaries for Linux the C library that
 * they are built for:
 *
 *   node scripts/complete-lock.mjs [--fetch] [path]
 *
 * The address follows from name and version. With --fetch missing checksums are requested from npm: those of packages
 * for other platforms, which npm does not read where the configured registry lacks them. Entries still missing are listed.
 * A package that does not declare its C library has it in its name; npm installs both of a pair otherwise.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./sources.mjs";

const isFetching = process.argv.includes("--fetch");
const file =
  process.argv.slice(2).find((one) => one !== "--fetch") ?? join(root, "package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8"));
const missing = [];

function checksumOf(name, version) {
  try {
    const args = ["view", `${name}@${version}`, "dist.integrity", "--silent"];
    const said = execFileSync("npm", args, { stdio: ["ignore", "pipe", "ignore"] });
    return said.toString().trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Where npm writes it: between "license" or "dev" and "optional". */
function withLibrary(name, { libc, ...entry }) {
  const library = /musl/.test(name) ? "musl" : /gnu/.test(name) ? "glibc" : undefined;
  const isNamed = entry.optional && entry.os?.includes("linux") && library !== undefined;
  const known = libc ?? (isNamed ? [library] : undefined);
  if (known === undefined) return entry;
  const members = Object.entries(entry);
  const at = members.findIndex(([member]) => ["license", "optional", "os"].includes(member));
  return Object.fromEntries([...members.slice(0, at), ["libc", known], ...members.slice(at)]);
}

for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === "" || entry.link || entry.inBundle) continue;
  const { name: alias, version, resolved: _, integrity: known, ...others } = entry;
  const name = alias ?? path.split("node_modules/").at(-1);
  const resolved = `https://registry.npmjs.org/${name}/-/${name.split("/").at(-1)}-${version}.tgz`;
  const integrity = known ?? (isFetching ? checksumOf(name, version) : undefined);
  if (!integrity) missing.push(`${name}@${version}`);
  // npm's order of the fields; JSON omits undefined ones.
  const completed = { name: alias, version, resolved, integrity, ...others };
  lock.packages[path] = withLibrary(name, completed);
}

writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
for (const one of missing) process.stdout.write(`no checksum: ${one}\n`);
