import { z } from "zod";
import { etagOf } from "@/lib/protocol/conditional";
import {
  type PreviewProblem,
  type PreviewStage,
  previewStages,
} from "@/lib/protocol/documents/preview";
import { boundedText, Instant, listOf } from "@/lib/protocol/formats";
import { bodyProblems } from "@/lib/protocol/validation";
import { templateFault } from "./url-template";

/** A configuration to be stored: the received bytes, and the values parsed from them. */
export interface Content {
  bytes: Buffer;
  hash: string;
  summary: {
    title: string | null;
    isEnabled: boolean | null;
    stage: PreviewStage | null;
    problems: PreviewProblem[];
  };
}

/** `configuration` is the parsed value of the bytes. */
export function contentOf(bytes: Uint8Array, configuration: Record<string, unknown>): Content {
  return {
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    hash: etagOf(bytes).slice(1, -1),
    summary: { ...summaryOf(configuration), problems: problemsOf(configuration) },
  };
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/**
 * The received bytes of an object that is a member of the body: with its white space, escapes and numbers, which a
 * parser would change. The body must be valid JSON with such a member.
 */
export function memberBytes(body: Uint8Array, name: string): Uint8Array {
  const text = new TextDecoder().decode(body);
  let [depth, start, isNamed, last] = [0, -1, false, ""];
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === "{" || token === "[") {
      if (depth === 1 && isNamed) start = index;
      depth += 1;
    } else if (token === "}" || token === "]") {
      depth -= 1;
      if (depth === 1 && start >= 0) return Buffer.from(text.slice(start, index + 1));
    } else if (depth === 1 && token === ":") isNamed = JSON.parse(last) === name;
    last = token;
  }
  throw new Error(`The body has no object named ${name}.`);
}

/*
 * withStage() changes the member `stage` of a JSON object and leaves every other byte as it is:
 *
 *     { "title": "Home", "stage": "draft", "price": 1.10 }
 *                                 ^^^^^^^ start, end of the value
 *
 * If there is no such member, it becomes the first one, with the white space of the previous first one.
 */

/** The start and end of a member's value in the outermost object; undefined if it has no such member. */
function rangeOf(text: string, name: string): [start: number, end: number] | undefined {
  let [depth, last, start] = [0, "", -1];
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (start >= 0 && depth === 1 && (token === "," || token === "}")) return [start, index];
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (depth === 1 && token === ":" && JSON.parse(last) === name) start = index + 1;
    last = token;
  }
  return undefined;
}

/** The bytes with the stage; they must be a JSON object. */
export function withStage(bytes: Uint8Array, stage: PreviewStage): Buffer {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const value = JSON.stringify(stage);
  const range = rangeOf(text, "stage");
  if (range) {
    const [start, end] = range;
    const old = text.slice(start, end);
    const before = old.length - old.trimStart().length;
    const after = old.trimEnd().length;
    const replaced = old.slice(0, before) + value + old.slice(after);
    return Buffer.from(text.slice(0, start) + replaced + text.slice(end));
  }
  const opening = text.indexOf("{") + 1;
  const rest = text.slice(opening);
  const space = /^\s*/.exec(rest)?.[0] ?? "";
  const isEmpty = rest.startsWith("}", space.length);
  const colon = space === "" ? ":" : ": ";
  const member = `"stage"${colon}${value}${isEmpty ? "" : ","}`;
  return Buffer.from(text.slice(0, opening) + space + member + rest);
}

const extended = "[a-z]{2,3}(?:-[a-z]{3}(?:-[a-z]{3}){0,2})?|[a-z]{4}|[a-z]{5,8}";
const variants = "(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*";
const extensions = "(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*";
const privateUse = "x(?:-[a-z0-9]{1,8})+";
const grandfathered =
  "en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:be-fr|be-nl|ch-de)|art-lojban|cel-gaulish|no-(?:bok|nyn)|zh-(?:guoyu|hakka|min|min-nan|xiang)";
const tag = new RegExp(
  `^(?:(?:${extended})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?${variants}${extensions}(?:-${privateUse})?|${privateUse}|${grandfathered})$`,
  "i",
);

const hasDouble = (parts: string[]) => new Set(parts).size < parts.length;
/** Longer than any meaningful tag: extensions have no limit. */
const maxLength = 256;

/** Whether the text is a language tag by BCP 47 (RFC 5646): the grammar, and no variant or extension twice. */
export function isLanguageTag(text: string): boolean {
  if (text.length > maxLength || !tag.test(text)) return false;
  const [beforePrivate = ""] = text.toLowerCase().split(/(?:^|-)x-/);
  const parts = beforePrivate.split("-").slice(1);
  const firstExtension = parts.findIndex((part) => part.length === 1);
  const head = firstExtension < 0 ? parts : parts.slice(0, firstExtension);
  const repeatable = head.filter((part) => part.length >= 5 || /^\d\w{3}$/.test(part));
  return !hasDouble(repeatable) && !hasDouble(parts.filter((part) => part.length === 1));
}

/** Problems are stored with the configuration, so their number is bounded. */
const maxProblems = 100;
const maxTitleLength = 200;
const maxTemplateLength = 4096;
const maxListLength = 1000;

const UrlTemplate = boundedText(maxTemplateLength).superRefine((template, context) => {
  const fault = templateFault(template);
  if (fault) context.addIssue({ code: "custom", message: fault });
});

const Pixels = z.int().min(1).max(10_000);
const Viewport = z.object({
  width: Pixels,
  height: Pixels.optional(),
  name: z.string().optional(),
});

/** The members that this product defines; the caller may add any others. */
const knownFields = {
  title: z.string().max(maxTitleLength),
  enabled: z.boolean(),
  stage: z.enum(previewStages),
  urlTemplate: UrlTemplate,
  locales: listOf(
    z.string().refine(isLanguageTag, { message: "must be a language tag such as de-AT (BCP 47)" }),
    maxListLength,
  ),
  effectiveAt: Instant,
  viewports: listOf(Viewport, maxListLength),
};
const KnownFields = z.object(knownFields).partial();

/** The problems in the known fields of a configuration, in document order. They never prevent saving. */
export function problemsOf(configuration: Record<string, unknown>): PreviewProblem[] {
  const known = Object.fromEntries(
    Object.entries(configuration).filter(([name]) => Object.hasOwn(knownFields, name)),
  );
  const parsed = KnownFields.safeParse(known);
  return parsed.success ? [] : bodyProblems(parsed.error, known).slice(0, maxProblems);
}

/** The fields of a configuration that lists show; null if missing or of the wrong type. */
export function summaryOf({ title, enabled, stage }: Record<string, unknown>) {
  const isText = typeof title === "string";
  return {
    title: isText
      ? [...title.slice(0, 2 * maxTitleLength).replace(/\p{Cc}/gu, " ")]
          .slice(0, maxTitleLength)
          .join("")
      : null,
    isEnabled: typeof enabled === "boolean" ? enabled : null,
    stage: previewStages.find((known): known is PreviewStage => known === stage) ?? null,
  };
}
