import { ApiError } from "./errors";
import { findJsonMistake } from "./json-position";
import { cut } from "./text";

const maximumDepth = 32;
/** More than any valid body has. 2 MiB beyond these limits would block the event loop for 100 to 500 ms. */
const maxContainers = 120_000;
export const maxArrayItems = 150_000;
/** A valid body beyond this size is a list of similar objects: few names, and few fields per object. */
const largeBodyLength = 256 * 1024;
const maxMembersOfLargeBody = 500;
const maxNamesOfLargeBody = 2000;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Names in a body may have any length, but errors quote only this much of them. */
const maxPointerLength = 200;

function rejection(detail: string, reason?: string): ApiError {
  return new ApiError(
    "request.invalid-json",
    detail,
    reason === undefined ? undefined : cut(reason, maxPointerLength),
  );
}

const isText = (value: unknown): value is string => typeof value === "string";
const isNested = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * Counts fields and finds what a lenient parser accepts; recursion is safe because depth is checked before. `path` is the path of the
 * value: a pointer is only built for a rejection, because a body may have a hundred thousand values. Valid UTF-8 has a lone
 * surrogate only as an escape.
 */
function inspect(value: object, path: PropertyKey[], mayHoldHalves: boolean): number {
  let members = 0;
  const assertWellFormed = (item: unknown, place: PropertyKey) => {
    if (isText(item) && mayHoldHalves && !item.isWellFormed())
      throw rejection("The text has half of a surrogate pair.", pointerTo("", ...path, place));
    if (!isNested(item)) return;
    path.push(place);
    members += inspect(item, path, mayHoldHalves);
    path.pop();
  };
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) assertWellFormed(value[index], index);
    return members;
  }
  const given = value as Record<string, unknown>;
  for (const name of Object.keys(given)) {
    if (mayHoldHalves && !name.isWellFormed())
      throw rejection("A member's name has half of a surrogate pair.", pointerTo("", ...path));
    members += 1;
    assertWellFormed(given[name], name);
  }
  return members;
}

function countMembers(value: unknown, text: string): number {
  const mayHoldHalves = /\\u[dD]/.test(text);
  if (isText(value) && mayHoldHalves && !value.isWellFormed())
    throw rejection("The text has half of a surrogate pair.", "");
  return isNested(value) ? inspect(value, [], mayHoldHalves) : 0;
}

export function pointerTo(base: string, ...path: PropertyKey[]): string {
  return path.reduce<string>(
    (pointer, part) => `${pointer}/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`,
    base,
  );
}

interface Shape {
  depth: number;
  /** Each field of valid JSON has one colon outside strings. */
  members: number;
  /** The fields of the largest object. */
  maxMembers: number;
  /** For a large body, the number of different hashes of field names: at most the number of names. */
  names: number;
  containers: number;
  /** Commas that separate array items; some between empty objects are not counted. */
  arrayItems: number;
}

/** Measures a text before it is parsed. Stops at the first bracket that is nested too deep. */
function scan(text: string): Shape {
  let [depth, deepest, members, maxMembers, containers, commas] = [0, 0, 0, 0, 0, 0];
  let [hash, names] = [0, 0];
  // Names are counted only in large bodies: allocating the table takes longer than parsing a small body.
  const hasName = text.length > largeBodyLength ? new Uint8Array(0x10000) : undefined;
  const membersAt = new Uint32Array(maximumDepth + 1);
  let inString = false;
  for (let i = 0; i < text.length && deepest <= maximumDepth; i += 1) {
    const character = text.charCodeAt(i);
    if (inString) {
      if (character === 0x5c) i += 1;
      else if (character === 0x22) inString = false;
      else hash = Math.imul(hash ^ character, 0x01000193);
    } else if (character === 0x22) {
      inString = true;
      hash = 0;
    } else if (character === 0x7b || character === 0x5b) {
      containers += 1;
      deepest = Math.max(deepest, ++depth);
      membersAt[depth] = 0;
    } else if (character === 0x7d || character === 0x5d) depth -= 1;
    else if (character === 0x2c) commas += 1;
    else if (character === 0x3a) {
      members += 1;
      const own = (membersAt[depth] ?? 0) + 1;
      membersAt[depth] = own;
      if (own > maxMembers) maxMembers = own;
      if (!hasName) continue;
      const name = (hash ^ (hash >>> 16)) & 0xffff;
      names += 1 - (hasName[name] ?? 0);
      hasName[name] = 1;
    }
  }
  return { depth: deepest, members, maxMembers, names, containers, arrayItems: commas - members };
}

/** Rejects a body that would be slow to parse or check, by counting only. */
function assertParsable(
  text: string,
  { depth, maxMembers, names, containers, arrayItems }: Shape,
): void {
  if (depth > maximumDepth)
    throw rejection(`The body is nested more than ${maximumDepth} levels deep.`);
  if (containers > maxContainers)
    throw rejection(`The body has more than ${maxContainers} objects and arrays.`);
  if (arrayItems > maxArrayItems)
    throw new ApiError(
      "request.too-many-items",
      `The body's lists have more than ${maxArrayItems} items.`,
      `,${maxArrayItems}`,
    );
  if (text.length <= largeBodyLength) return;
  if (maxMembers > maxMembersOfLargeBody)
    throw rejection(`An object of the body has more than ${maxMembersOfLargeBody} members.`);
  if (names > maxNamesOfLargeBody)
    throw rejection(`The body has more than ${maxNamesOfLargeBody} different member names.`);
}

/** The duplicate field: parsed again only if the count shows that there is one. */
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
      top.name = last.includes("\\") ? JSON.parse(last) : last.slice(1, -1);
      if (top.names.has(top.name))
        return pointerTo("", ...path.map((level) => (level.isArray ? level.index : level.name)));
      top.names.add(top.name);
    }
    last = token;
  }
  return "";
}

/** The position of the syntax error, and what was expected there; no part of the text. */
function notJson(text: string): ApiError {
  // A large body is not parsed a second time: that would block the event loop.
  const mistake = text.length <= largeBodyLength ? findJsonMistake(text) : undefined;
  if (!mistake) return rejection("The body is not valid JSON.");
  const { line, column, expected } = mistake;
  return rejection(
    `The body is not valid JSON: expected ${expected} at line ${line}, column ${column}.`,
    `${line}:${column}`,
  );
}

/**
 * Parses a body strictly: UTF-8 only, at most 32 levels, no duplicate fields, no lone surrogates.
 * Throws `request.invalid-json`, with a JSON Pointer, or line:column, as reason if known.
 */
export function parseJson(body: Uint8Array): unknown {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    throw rejection("The body is not valid UTF-8.");
  }
  if (text.startsWith("\ufeff"))
    throw rejection("The body begins with a byte order mark. Save the file without one.");
  if (text.trim() === "") throw rejection("The body is empty. Send one JSON value.");
  const shape = scan(text);
  assertParsable(text, shape);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notJson(text);
  }
  if (countMembers(value, text) !== shape.members) {
    const pointer = findDuplicate(text);
    throw rejection(`The member ${cut(pointer, maxPointerLength)} stands twice.`, pointer);
  }
  return value;
}
