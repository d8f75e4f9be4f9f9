import { loadModule, parseSync } from "libpg-query";

/** A part of PostgreSQL's own syntax tree. */
export type Part = { [name: string]: unknown };

export interface Statement {
  kind: "SelectStmt" | "InsertStmt" | "UpdateStmt" | "DeleteStmt" | "MergeStmt";
  body: Part;
}

const kinds: readonly string[] = [
  "SelectStmt",
  "InsertStmt",
  "UpdateStmt",
  "DeleteStmt",
  "MergeStmt",
] satisfies Statement["kind"][];

/** Must be awaited once before the other functions of this file are called. */
export const loadParser = loadModule;

/** The top-level statements of a text, each as { kind: body }. */
export function parse(text: string): Part[] {
  return parts(parseSync(text).stmts).map((entry) => part(entry.stmt));
}

export function part(value: unknown): Part {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

export function parts(value: unknown): Part[] {
  return Array.isArray(value) ? value.map(part) : [];
}

/** Every statement within, subqueries and WITH included. */
export function statementsIn(node: unknown): Statement[] {
  if (Array.isArray(node)) return node.flatMap(statementsIn);
  return Object.entries(part(node)).flatMap(([name, value]) => {
    const body = part(value);
    if (isKind(name)) return [{ kind: name, body }, ...statementsIn(value)];
    const isHalf = (name === "larg" || name === "rarg") && "targetList" in body;
    return isHalf
      ? [{ kind: "SelectStmt" as const, body }, ...statementsIn(value)]
      : statementsIn(value);
  });
}

/** Every node of this kind that belongs to the statement itself, not to one inside it. */
export function nodesOf(node: unknown, wanted: string): Part[] {
  if (Array.isArray(node)) return node.flatMap((entry) => nodesOf(entry, wanted));
  return Object.entries(part(node)).flatMap(([name, value]) => {
    if (name === wanted) return [part(value), ...nodesOf(value, wanted)];
    return isKind(name) || name === "withClause" || "targetList" in part(value)
      ? []
      : nodesOf(value, wanted);
  });
}

/** The names in a list of String nodes, such as a column reference's. */
export function names(value: unknown): string[] {
  return parts(value).map((entry) => ("A_Star" in entry ? "*" : String(part(entry.String).sval)));
}

function isKind(name: string): name is Statement["kind"] {
  return kinds.includes(name);
}
