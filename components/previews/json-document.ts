import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
} from "jsonc-parser";
import { t } from "@/components/texts/t";

/** The reason why a text is not a valid configuration, and its position. */
export interface Fault {
  detail: string;
  offset: number;
}

export interface Parsed {
  /** The document as a tree with offsets; undefined when the text is not a JSON object. */
  root: Node | undefined;
  fault: Fault | undefined;
}

/** The props of a form field that edits the document. */
export interface FormPart {
  text: string;
  root: Node;
  readOnly: boolean;
  /** The error of a field, in words. */
  problemOf: (name: string) => string | undefined;
  onChange: (text: string) => void;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function parseDocument(text: string): Parsed {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  if (!isJson(text))
    return {
      root: undefined,
      fault: { detail: t("This is not valid JSON."), offset: errors[0]?.offset ?? 0 },
    };
  if (root?.type === "object") return { root, fault: undefined };
  return {
    root: undefined,
    fault: { detail: t("A configuration is one JSON object."), offset: root?.offset ?? 0 },
  };
}

/** The node that a JSON Pointer names, or the nearest one around it. */
export function nodeAt(root: Node, pointer: string): Node {
  let node = root;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    const next = findNodeAtLocation(node, [node.type === "array" ? Number(name) : name]);
    if (!next) return node;
    node = next;
  }
  return node;
}

/** The number of the line that an offset is on, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1))
    line += 1;
  return line;
}

/** The parsed value of a top-level member; undefined when there is none. */
export function propertyOf(root: Node, name: string): unknown {
  const node = findNodeAtLocation(root, [name]);
  return node && readValue(node);
}

/** The value of a part of the tree. */
export function readValue(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(readValue);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(
    (node.children ?? []).map(({ children }) => [
      children?.[0]?.value,
      children?.[1] && readValue(children[1]),
    ]),
  );
}

/** Appends a member after the last one, spaced like the first one. */
function addMember(text: string, parent: Node, name: string, json: string): string {
  const members = parent.children ?? [];
  const [first, last] = [members[0], members.at(-1)];
  if (!first || !last)
    return `${text.slice(0, parent.offset)}{\n  ${JSON.stringify(name)}: ${json}\n}${text.slice(parent.offset + parent.length)}`;
  const before = text.slice(parent.offset + 1, first.offset);
  const colon = /^"(?:[^"\\]|\\.)*"(\s*:\s*)/s.exec(text.slice(first.offset))?.[1] ?? ": ";
  const end = last.offset + last.length;
  return `${text.slice(0, end)},${before}${JSON.stringify(name)}${colon}${json}${text.slice(end)}`;
}

/**
 * The text with one value set to this JSON, or removed for undefined; its parent must exist. Everything
 * else is unchanged byte for byte, and the JSON is inserted as it is: numbers that a parser would round keep their digits.
 */
export function setValue(text: string, path: JSONPath, json: string | undefined): string {
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, path);
  if (json === undefined) return node ? applyEdits(text, modify(text, path, undefined, {})) : text;
  if (node) return text.slice(0, node.offset) + json + text.slice(node.offset + node.length);
  const parent = root && findNodeAtLocation(root, path.slice(0, -1));
  if (parent?.type !== "object") throw new Error(`There is no object to hold ${path.join("/")}.`);
  return addMember(text, parent, String(path.at(-1)), json);
}
