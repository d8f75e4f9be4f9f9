import { z } from "zod";

/**
 * The start of a text of any length, in at most `max` code units: never with half a surrogate pair, which neither UTF-8 nor
 * PostgreSQL can represent. What was cut ends with `suffix`.
 *
 * @example cut("x".repeat(9) + "😀", 10, "") // "xxxxxxxxx"
 */
export function cut(text: string, max: number, suffix = "…"): string {
  if (text.length <= max) return text.toWellFormed();
  const end = max - suffix.length;
  const isHalf = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isHalf ? end - 1 : end).toWellFormed() + suffix;
}

/** Invisible and blank characters: U+2800 is an empty cell of Braille, and U+FFF9 to U+FFFB mark annotations. */
const unseen = "\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb";
const ignorable = new RegExp(`[${unseen}]`, "gu");
const visible = new RegExp(`[^\\s${unseen}]`, "u");

/** Without invisible characters, such as a zero-width space. These include joiners, which emoji, Persian and Hindi need. */
export const withoutIgnorable = (text: string): string => text.replace(ignorable, "");

/** Whether the text has a visible character. */
export const hasVisibleCharacter = (text: string): boolean => visible.test(text);

/**
 * The text that a field accepts, declared by `.meta(textOf("lines"))` in its schema; the default is "line".
 *
 *     line      no NUL, control character, line end or change of direction, and no lone surrogate
 *     trimmed   the same after the schema has removed surrounding white space
 *     lines     tabs and line breaks too
 *     secret    compared and never shown, such as a password: anything except NUL and lone surrogates
 *     bytes     stored byte for byte, with separate rules: nothing inside it is checked
 */
export type TextKind = "line" | "trimmed" | "lines" | "secret" | "bytes";

const textKind = "x-text";

/** Metadata of a schema: see TextKind. It is part of the OpenAPI document. */
export const textOf = (kind: Exclude<TextKind, "line">) => ({ [textKind]: kind });

/** Control characters, line ends, and U+202A to U+202E and U+2066 to U+2069: they change the direction of other text. */
const unusual = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;
const notInLines = /[^\P{Cc}\t\n\r]|\r(?!\n)|[\u202a-\u202e\u2066-\u2069]/u;

const isUsual = (text: string) => !unusual.test(text) && text.isWellFormed();

function wordsFor(character: string): string {
  const name = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  if (/[\u202a-\u202e\u2066-\u2069]/.test(character))
    return `${name}, which changes the direction of text`;
  return /[\n\r\u2028\u2029]/.test(character)
    ? `a line break (${name})`
    : `the control character ${name}`;
}

/** What a text of this kind must not contain, as a message; undefined for a valid text. */
export function textProblem(text: string, kind: TextKind): string | undefined {
  if (kind === "bytes" || isUsual(text)) return undefined;
  if (!text.isWellFormed()) return "half of a surrogate pair";
  if (kind === "secret") return text.includes("\0") ? wordsFor("\0") : undefined;
  const looked = kind === "trimmed" ? text.trim() : text;
  const [character] = (kind === "lines" ? notInLines : unusual).exec(looked) ?? [];
  return character === undefined ? undefined : wordsFor(character);
}

type Schema = z.core.$ZodTypes;

/** The schemas that a schema wraps, and those of one of its fields. */
function within(schema: Schema, name: PropertyKey | undefined): readonly unknown[] {
  const { def } = schema._zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
    case "catch":
      return [def.innerType];
    case "pipe":
      return [def.in, def.out];
    case "union":
      return def.options;
    case "lazy":
      return [def.getter()];
    case "object":
      return name === undefined ? [] : [def.shape[String(name)] ?? def.catchall];
    case "record":
      return name === undefined ? [] : [def.valueType];
    case "array":
      return name === undefined ? [] : [def.element];
    default:
      return [];
  }
}

const isContainer = (schema: Schema) =>
  ["object", "record", "array"].includes(schema._zod.def.type);

/** The kind that a schema declares for the text at a path, or for an enclosing value. */
function declaredKind(schema: unknown, path: readonly PropertyKey[]): TextKind | undefined {
  if (!(schema instanceof z.core.$ZodType)) return undefined;
  const declared = z.globalRegistry.get(schema)?.[textKind];
  if (declared !== undefined) return declared as TextKind;
  const found = schema as Schema;
  const [name, ...rest] = path;
  const left = isContainer(found) ? rest : path;
  for (const inner of within(found, name)) {
    const kind = declaredKind(inner, left);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** A request with more is rejected anyway. */
const maxFound = 1000;

export interface TextProblem {
  path: PropertyKey[];
  /** What the text must not contain, as a message. */
  held: string;
}

/**
 * The texts of a value that violate the rule, including field names. A value without control characters and the like passes with
 * one test for each text; the schema is only read for unusual ones.
 */
export function textProblems(schema: unknown, value: unknown): TextProblem[] {
  const found: TextProblem[] = [];
  const path: PropertyKey[] = [];
  const look = (text: string, isName: boolean) => {
    if (isUsual(text) || found.length >= maxFound) return;
    const kind = declaredKind(schema, path) ?? "line";
    const held = textProblem(text, isName && kind !== "bytes" ? "line" : kind);
    if (held !== undefined) found.push({ path: [...path], held });
  };
  const walk = (at: unknown): void => {
    if (typeof at === "string") look(at, false);
    if (typeof at !== "object" || at === null) return;
    for (const [name, item] of Array.isArray(at) ? at.entries() : Object.entries(at)) {
      path.push(name);
      if (typeof name === "string") look(name, true);
      walk(item);
      path.pop();
    }
  };
  walk(value);
  return found;
}

/** The text for a LIKE pattern, in which `\`, `%` and `_` are literal. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");
