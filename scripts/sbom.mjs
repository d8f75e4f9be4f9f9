/**
 * Writes the product's bill of materials, as CycloneDX 1.6 JSON, from package-lock.json only:
 *
 *   npm run --silent sbom [-- --out FILE]
 *
 * `npm sbom --omit dev` is not suitable: it omits every package that a development dependency needs as well (zod, pg-types).
 * The same lock file gives the same bytes.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./sources.mjs";

const text = readFileSync(join(root, "package-lock.json"), "utf8");
const { packages } = JSON.parse(text);
const paths = Object.keys(packages).filter((path) => path !== "" && !packages[path].dev);
const nameOf = (path) => packages[path].name ?? path.split("node_modules/").at(-1);
const purlOf = (path) =>
  `pkg:npm/${nameOf(path).replace("@", "%40")}@${encodeURIComponent(packages[path].version)}`;

/** The package that npm finds: in the nearest node_modules upwards from the importing package. */
function find(from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    const path = `${at ? `${at}/` : ""}node_modules/${name}`;
    if (packages[path]) return packages[path].dev ? undefined : path;
    if (!at) return undefined;
  }
}

function dependsOn(path) {
  const { dependencies, optionalDependencies, peerDependencies } = packages[path];
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const found = names.map((name) => find(path, name)).filter((one) => one !== undefined);
  return [...new Set(found.map(purlOf))].sort();
}

function hashesOf(integrity = "") {
  const sums = integrity.split(/\s+/).filter((sum) => sum.startsWith("sha512-"));
  return sums.map((sum) => ({
    alg: "SHA-512",
    content: Buffer.from(sum.slice("sha512-".length), "base64").toString("hex"),
  }));
}

function licensesOf(license) {
  if (!license) return undefined;
  return / (AND|OR|WITH) /.test(license)
    ? [{ expression: license }]
    : [{ license: { id: license } }];
}

function componentOf(path) {
  const { version, license, resolved, integrity, optional, devOptional } = packages[path];
  const purl = purlOf(path);
  const url = { type: "distribution", url: resolved };
  return {
    type: "library",
    "bom-ref": purl,
    name: nameOf(path),
    version,
    scope: optional || devOptional ? "optional" : "required",
    purl,
    hashes: hashesOf(integrity),
    licenses: licensesOf(license),
    externalReferences: resolved ? [url] : undefined,
  };
}

/** A package at several places of the tree is one component, required if it is required anywhere. */
function components() {
  const known = new Map();
  for (const component of paths.map(componentOf)) {
    const before = known.get(component.purl);
    if (before?.scope !== "required") known.set(component.purl, component);
  }
  return [...known.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1));
}

function graph() {
  const edges = new Map();
  for (const path of ["", ...paths]) {
    const ref = purlOf(path);
    edges.set(ref, [...new Set([...(edges.get(ref) ?? []), ...dependsOn(path)])].sort());
  }
  return [...edges].map(([ref, refs]) => ({ ref, dependsOn: refs }));
}

const digest = createHash("sha256").update(text).digest("hex");
const uuid = [
  digest.slice(0, 8),
  digest.slice(8, 12),
  `8${digest.slice(13, 16)}`,
  `a${digest.slice(17, 20)}`,
  digest.slice(20, 32),
];
const { name, version, license } = packages[""];
const document = {
  $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  serialNumber: `urn:uuid:${uuid.join("-")}`,
  version: 1,
  metadata: {
    component: {
      type: "application",
      "bom-ref": purlOf(""),
      name,
      version,
      purl: purlOf(""),
      licenses: licensesOf(license),
    },
  },
  components: components(),
  dependencies: graph(),
};

const out = process.argv.indexOf("--out");
const written = `${JSON.stringify(document, null, 2)}\n`;
if (out === -1) process.stdout.write(written);
else if (process.argv[out + 1]) writeFileSync(process.argv[out + 1], written);
else throw new Error("--out needs the name of a file.");
