import { findNodeAtLocation, type JSONPath, type Node, parseTree } from "jsonc-parser";
import { setValue } from "./json-document";

export type Side = "base" | "yours" | "theirs";

/** A field that one or both sides changed. Its values are verbatim JSON from the texts; undefined when missing. */
export interface FieldChange {
  pointer: string;
  path: JSONPath;
  base: string | undefined;
  yours: string | undefined;
  theirs: string | undefined;
  /** The only side that changed it, or "both" when the changes differ. */
  changedBy: "yours" | "theirs" | "both";
}

type Triple = Record<Side, Node | undefined>;
type Texts = Record<Side, string>;
const sides: readonly Side[] = ["base", "yours", "theirs"];

/** A canonical form of a value, independent of spacing, escapes and order of fields. Numbers are compared by their digits. */
function meaning(node: Node | undefined, text: string): string {
  if (!node) return "";
  if (node.type === "array")
    return `[${(node.children ?? []).map((child) => meaning(child, text)).join()}]`;
  if (node.type === "string") return JSON.stringify(node.value);
  if (node.type !== "object") return text.slice(node.offset, node.offset + node.length);
  const members = (node.children ?? []).map(
    ({ children }) => `${JSON.stringify(children?.[0]?.value)}:${meaning(children?.[1], text)}`,
  );
  return `{${members.sort().join()}}`;
}

const namesOf = (node: Node) =>
  (node.children ?? []).map(({ children }) => String(children?.[0]?.value));

/** The parts of values to compare one by one: those of objects, and of arrays with the same length. */
function partsOf({ base, yours, theirs }: Triple): JSONPath | undefined {
  const there = [base, yours, theirs].filter((node) => node !== undefined);
  if (!yours || !theirs) return undefined;
  if (there.every(({ type }) => type === "object")) return [...new Set(there.flatMap(namesOf))];
  const lengths = new Set(there.map((node) => node.children?.length ?? 0));
  if (base && there.every(({ type }) => type === "array") && lengths.size === 1)
    return (yours.children ?? []).map((_, index) => index);
  return undefined;
}

const escapePart = (part: string | number) =>
  String(part).replaceAll("~", "~0").replaceAll("/", "~1");

function compareAt(path: JSONPath, nodes: Triple, texts: Texts, found: FieldChange[]): void {
  const means = (side: Side) => meaning(nodes[side], texts[side]);
  if (means("yours") === means("theirs")) return;
  const parts = partsOf(nodes);
  if (parts) {
    const child = (side: Side, part: string | number) =>
      nodes[side] && findNodeAtLocation(nodes[side], [part]);
    for (const part of parts) {
      const below = {
        base: child("base", part),
        yours: child("yours", part),
        theirs: child("theirs", part),
      };
      compareAt([...path, part], below, texts, found);
    }
    return;
  }
  const json = (side: Side) =>
    nodes[side] && texts[side].slice(nodes[side].offset, nodes[side].offset + nodes[side].length);
  const changedBy =
    means("yours") === means("base")
      ? "theirs"
      : means("theirs") === means("base")
        ? "yours"
        : "both";
  found.push({
    pointer: path.map((part) => `/${escapePart(part)}`).join(""),
    path,
    base: json("base"),
    yours: json("yours"),
    theirs: json("theirs"),
    changedBy,
  });
}

/** Every field in which yours and theirs differ, with its previous value. The texts are JSON objects. */
export function compareFields(texts: Texts): FieldChange[] {
  const found: FieldChange[] = [];
  const [base, yours, theirs] = sides.map((side) => parseTree(texts[side]));
  compareAt([], { base, yours, theirs }, texts, found);
  return found;
}

/** The side whose value a field takes by default; undefined when both changed it. */
export function sideFor(
  { changedBy, pointer }: FieldChange,
  chosen: Record<string, Side>,
): Side | undefined {
  return chosen[pointer] ?? (changedBy === "both" ? undefined : changedBy);
}

/** Their text with your changes merged in; undefined while a choice is missing. */
export function mergeFields(
  theirs: string,
  changes: FieldChange[],
  chosen: Record<string, Side>,
): string | undefined {
  let merged = theirs;
  for (const change of changes) {
    const side = sideFor(change, chosen);
    if (side === undefined) return undefined;
    if (side !== "theirs") merged = setValue(merged, change.path, change[side]);
  }
  return merged;
}
