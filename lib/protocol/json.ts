import { ApiError, cut } from "./errors";

const maximumDepth = 32;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Names in a body may be of any length; what is told of them is not. */
const longestPointer = 200;

function refuse(detail: string, reason?: string): ApiError {
  return new ApiError(
    "request.invalid-json",
    detail,
    reason === undefined ? undefined : cut(reason, longestPointer),
  );
}

const isFine = (value: unknown) =>
  typeof value === "string" ? value.isWellFormed() : typeof value !== "object" || value === null;

/** Counts members and finds what a lenient parser lets through; recursion is safe because depth is checked on the way down. */
function inspect(value: unknown, pointer: string, depth: number): number {
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw refuse("The text has half of a surrogate pair.", pointer);
    return 0;
  }
  if (typeof value !== "object" || value === null) return 0;
  if (depth === maximumDepth)
    throw refuse(`The body is nested more than ${maximumDepth} levels deep.`, pointer);
  let members = 0;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      // Long lists are of numbers or texts, mostly: no pointer is written for those.
      if (isFine(item)) continue;
      members += inspect(item, `${pointer}/${index}`, depth + 1);
    }
    return members;
  }
  for (const [name, member] of Object.entries(value)) {
    if (!name.isWellFormed())
      throw refuse("A member's name has half of a surrogate pair.", pointer);
    members += 1 + inspect(member, pointerTo(pointer, name), depth + 1);
  }
  return members;
}

export function pointerTo(base: string, ...path: PropertyKey[]): string {
  return path.reduce<string>(
    (pointer, part) => `${pointer}/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`,
    base,
  );
}

/** How deep brackets nest, and how many members the text writes: in valid JSON each has one colon outside strings. */
function scan(text: string): { depth: number; members: number } {
  let [depth, deepest, members] = [0, 0, 0];
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charCodeAt(i);
    if (inString) {
      if (character === 0x5c) i += 1;
      else if (character === 0x22) inString = false;
    } else if (character === 0x22) inString = true;
    else if (character === 0x7b || character === 0x5b) deepest = Math.max(deepest, ++depth);
    else if (character === 0x7d || character === 0x5d) depth -= 1;
    else if (character === 0x3a) members += 1;
  }
  return { depth: deepest, members };
}

/** Which member stands twice: read again only when the count says there is one. */
function findDuplicate(text: string): string {
  const path: { names: Set<string>; name: string; index: number; isArray: boolean }[] = [];
  const tokens = text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/gs);
  let last = "";
  for (const [token] of tokens) {
    const top = path.at(-1);
    if (token === "{" || token === "[")
      path.push({ names: new Set(), name: "", index: 0, isArray: token === "[" });
    else if (token === "}" || token === "]") path.pop();
    else if (token === "," && top) top.index += 1;
    else if (token === ":" && top) {
      top.name = JSON.parse(last);
      if (top.names.has(top.name))
        return pointerTo("", ...path.map((level) => (level.isArray ? level.index : level.name)));
      top.names.add(top.name);
    }
    last = token;
  }
  return "";
}

/**
 * Parses a body strictly: UTF-8 only, at most 32 levels, no duplicate members, no lone surrogates.
 * Throws `request.invalid-json`, with a JSON Pointer as reason where there is one.
 */
export function parseJson(body: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    throw refuse("The body is not valid UTF-8.");
  }
  if (text.trim() === "") throw refuse("The body is empty. Send one JSON value.");
  const { depth, members } = scan(text);
  if (depth > maximumDepth)
    throw refuse(`The body is nested more than ${maximumDepth} levels deep.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse("The body is not valid JSON.");
  }
  if (inspect(value, "", 0) !== members) {
    const pointer = findDuplicate(text);
    throw refuse(`The member ${cut(pointer, longestPointer)} stands twice.`, pointer);
  }
  return value;
}
