import { parseSync } from "oxc-parser";

/** A text in the source. */
export interface UsedText {
  key: string;
  /** The singular form of a text with a count. */
  one?: string;
  file: string;
  line: number;
}

interface Node {
  type: string;
  start: number;
  [property: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

const childrenOf = (node: Node): Node[] =>
  Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );

export const placeholdersOf = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}|<(\w+)>/g)].map(([, name, tag]) => name ?? `<${tag}>`);

/** The texts that an argument may be: a literal, or one of two. */
function literalsOf(node: Node | undefined): string[] {
  if (node?.type === "Literal" && typeof node.value === "string") return [node.value];
  if (node?.type !== "ConditionalExpression") return [];
  return [node.consequent, node.alternate].flatMap((one) => literalsOf(one as Node));
}

/** The names of a text's placeholders; undefined where they cannot be read from the source. */
function namesOf(node: Node | undefined): string[] | undefined {
  if (node === undefined) return [];
  if (node.type !== "ObjectExpression") return undefined;
  const properties = node.properties as Node[];
  if (properties.some(({ type }) => type !== "Property")) return undefined;
  return properties.map(({ key }) => String((key as Node).name ?? (key as Node).value));
}

interface Call {
  name: string;
  node: Node;
  given: Node[];
  isInFunction: boolean;
}

const functions = new Set(["ArrowFunctionExpression", "FunctionDeclaration", "FunctionExpression"]);

function callsOf(node: Node, isInFunction = false): Call[] {
  const callee = node.callee as Node | undefined;
  const own: Call[] =
    node.type === "CallExpression" && callee?.type === "Identifier"
      ? [{ name: String(callee.name), node, given: node.arguments as Node[], isInFunction }]
      : [];
  const isWithin = isInFunction || functions.has(node.type);
  return [...own, ...childrenOf(node).flatMap((child) => callsOf(child, isWithin))];
}

const shows = new Set(["t", "plural", "rich"]);

/** The placeholders of a text that get no value. */
function unfilled(key: string, values: Node | undefined, isCounting: boolean): string[] {
  const names = namesOf(values);
  // Without values, braces in a text are literal.
  if (names === undefined || (names.length === 0 && !isCounting)) return [];
  const wanted = placeholdersOf(key).map((name) => name.replace(/[<>]/g, ""));
  const given = isCounting ? [...names, "count"] : names;
  return wanted.filter((name) => !given.includes(name));
}

/** The texts of a file of the portal, and their problems. */
export function textsOf(file: string, source: string): { texts: UsedText[]; problems: string[] } {
  const texts: UsedText[] = [];
  const problems: string[] = [];
  const program = parseSync(file, source).program as unknown as Node;
  const calls = callsOf(program);
  // A text with a count gets its elements from withParts() around it.
  const partsAround = new Map(
    calls
      .filter(({ name }) => name === "withParts")
      .map(({ given: [text, parts] }) => [text, namesOf(parts)]),
  );
  for (const { name, node, given, isInFunction } of calls) {
    const line = source.slice(0, node.start).split("\n").length;
    const at = `${file}:${line}`;
    if (shows.has(name) && !isInFunction)
      problems.push(`${at}: ${name}() runs once for all readers here; use msg()`);
    const isCounting = name === "plural";
    const [one] = isCounting ? literalsOf(given[1]) : [];
    if (!shows.has(name) && name !== "msg") continue;
    for (const key of literalsOf(given[isCounting ? 2 : 0])) {
      texts.push({ key, ...(one !== undefined && { one }), file, line });
      const missing = unfilled(key, given[isCounting ? 3 : 1], isCounting);
      for (const place of missing.filter((one) => !partsAround.get(node)?.includes(one)))
        problems.push(`${at}: nothing is given for ${place}`);
    }
  }
  return { texts, problems };
}
