import { parseSync, Visitor } from "oxc-parser";
import { tableOwners } from "./table-owners";

const tableName = Object.keys(tableOwners).join("|");
const inSql = new RegExp(`\\b(?:from|join|into|update|only|table)\\s+(${tableName})\\b`, "g");
const toTableName = (object: string) =>
  object.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The tables that a file uses: by their objects (types are exempt) and in the texts of its statements. */
export function tablesNamed(file: string, source: string): Set<string> {
  const found = new Set<string>();
  const { program, module } = parseSync(file, source);
  for (const { moduleRequest, entries } of module.staticImports) {
    if (!/\/database\/schema\/[\w-]+$/.test(moduleRequest.value)) continue;
    for (const { importName, isType } of entries) {
      const table = toTableName(importName.name ?? "");
      if (!isType && table in tableOwners) found.add(table);
    }
  }
  const read = (text: unknown) => {
    if (typeof text !== "string") return;
    for (const [, table] of text.matchAll(inSql)) found.add(table ?? "");
  };
  new Visitor({
    TemplateElement(node) {
      read(node.value.cooked);
    },
    Literal(node) {
      read(node.value);
    },
  }).visit(program);
  return found;
}

/** Each table that a file uses but does not own, as "file: table". Tests and test support may use any. */
export function foreignTables(file: string, named: ReadonlySet<string>): string[] {
  if (/\.test\.ts$|(^|\/)testing\/|^lib\/database\//.test(file)) return [];
  return [...named]
    .filter((table) => !tableOwners[table]?.includes(file))
    .map((table) => `${file}: ${table} belongs to ${tableOwners[table]?.[0]}`);
}
