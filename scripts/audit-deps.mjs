/**
 * Asks a registry for known vulnerabilities of every package of package-lock.json:
 *
 *   npm run audit:deps
 *   npm run audit:deps -- --registry https://registry.example.com/
 *
 * Exits with 0 if none is known, with 1 if one is, and with 2 if the registry does not respond, which proves nothing.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./sources.mjs";

/** A mirror may offer packages of the public registry but no advisories: npm then exits with an error and no report. */
function report(args) {
  const { stdout } = spawnSync("npm", ["audit", "--package-lock-only", "--json", ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  try {
    return JSON.parse(stdout);
  } catch {
    return {};
  }
}

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

/** npm's advisories for one package: its own, not those of its dependencies. */
function linesOf({ name, severity, via, nodes }) {
  const use = nodes.every((path) => packages[path]?.dev) ? "development" : "production";
  return via
    .filter((one) => typeof one === "object")
    .map(({ title, url, range }) => `${severity}, ${use}: ${name} ${range}: ${title} ${url}`);
}

const { vulnerabilities, message = "no report" } = report(process.argv.slice(2));
if (vulnerabilities === undefined) {
  process.stderr.write(
    `The registry knows no advisories (${message}). Name one that does with --registry, or give the list of \`npm run sbom\` to a scanner.\n`,
  );
  process.exitCode = 2;
} else {
  const lines = Object.values(vulnerabilities).flatMap(linesOf);
  const none = `No vulnerability is known of ${Object.keys(packages).length - 1} packages.`;
  process.stdout.write(`${(lines.length === 0 ? [none] : lines.toSorted()).join("\n")}\n`);
  process.exitCode = lines.length === 0 ? 0 : 1;
}
