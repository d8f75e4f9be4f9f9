import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Entry } from "@/components/texts/t";
import { placeholdersOf, textsOf, type UsedText } from "./extract";
import { optionalTexts, textsOfLib } from "./lib-texts";

type Catalogue = Record<string, Entry>;

const isRead = (file: string) =>
  /\.tsx?$/.test(file) &&
  !/\.test\.tsx?$|^components\/(docs|texts)\/|^app\/(v1|pim|api|internal)\//.test(file);

const filesIn = (root: string, folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`.replaceAll("\\", "/"))
    .filter(isRead);

/** The area of a file: its folder in components. */
const areaOf = (file: string) =>
  file.startsWith("components/") ? (file.split("/")[1] ?? "") : (file.split("/")[0] ?? "");

export interface PortalTexts {
  /** Each text that is shown, with the area that its translation belongs to. */
  byKey: Map<string, { area: string; one?: string }>;
  problems: string[];
}

/** Every text of the portal. A text of several areas is in the area `common`. */
export function portalTexts(root: string): PortalTexts {
  const found: UsedText[] = [];
  const problems: string[] = [];
  for (const file of [...filesIn(root, "app"), ...filesIn(root, "components")]) {
    const read = textsOf(file, readFileSync(join(root, file), "utf8"));
    found.push(...read.texts);
    problems.push(...read.problems);
  }
  const byKey: PortalTexts["byKey"] = new Map();
  for (const { key, one, file } of [...found, ...textsOfLib(root)]) {
    const area = areaOf(file);
    const known = byKey.get(key);
    const common = known && known.area !== area ? "common" : area;
    const counted = one ?? known?.one;
    byKey.set(key, { area: common, ...(counted !== undefined && { one: counted }) });
  }
  return { byKey, problems };
}

export function germanCatalogues(root: string): Record<string, Catalogue> {
  const folder = join(root, "components/texts/de");
  return Object.fromEntries(
    readdirSync(folder).map((file) => [
      file.replace(/\.json$/, ""),
      JSON.parse(readFileSync(join(folder, file), "utf8")) as Catalogue,
    ]),
  );
}

/** The texts without a German translation, by area, in the format to fill in. */
export function missingTexts(root: string): Record<string, Catalogue> {
  const known = new Set(Object.values(germanCatalogues(root)).flatMap((one) => Object.keys(one)));
  const missing: Record<string, Catalogue> = {};
  for (const [key, { area, one }] of portalTexts(root).byKey) {
    if (known.has(key)) continue;
    missing[area] = { ...missing[area], [key]: one === undefined ? "" : { one: "", other: "" } };
  }
  return missing;
}

const formsOf = (entry: Entry): string[] =>
  typeof entry === "string" ? [entry] : Object.values(entry);

function wrongEntry(key: string, entry: Entry, one: string | undefined): string | undefined {
  if (formsOf(entry).some((form) => form.trim() === "")) return "is empty";
  if ((typeof entry === "object") !== (one !== undefined))
    return one === undefined ? "does not count" : "counts: write one and other";
  const wanted = placeholdersOf(key);
  for (const form of formsOf(entry)) {
    const has = placeholdersOf(form);
    const other = [
      ...wanted.filter((name) => !has.includes(name)),
      ...has.filter((name) => !wanted.includes(name)),
    ].filter((name) => one === undefined || name !== "count");
    if (other.length > 0) return `has other placeholders: ${other.join(", ")}`;
  }
  return undefined;
}

/** The problems of the German catalogues, except missing texts. */
export function germanProblems(root: string): string[] {
  const { byKey } = portalTexts(root);
  const optional = optionalTexts(root);
  const seen = new Set<string>();
  return Object.entries(germanCatalogues(root)).flatMap(([area, catalogue]) =>
    Object.entries(catalogue).flatMap(([key, entry]) => {
      const at = `${area}.json: ${JSON.stringify(key)}`;
      const used = byKey.get(key) ?? (optional.has(key) ? {} : undefined);
      if (!used) return [`${at} is not used`];
      if (seen.has(key)) return [`${at} is in another catalogue, too`];
      seen.add(key);
      const wrong = wrongEntry(key, entry, (used as { one?: string }).one);
      return wrong === undefined ? [] : [`${at} ${wrong}`];
    }),
  );
}
