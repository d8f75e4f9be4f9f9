import { etagOf } from "@/lib/protocol/conditional";
import type { PreviewProblem, PreviewStage } from "@/lib/protocol/documents/preview";
import { problemsOf, summaryOf } from "./problems";

/** A configuration on its way into the store: the bytes as they came, and what is read out of them. */
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

/** `configuration` is what the bytes say. */
export function contentOf(bytes: Uint8Array, configuration: Record<string, unknown>): Content {
  return {
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    hash: etagOf(bytes).slice(1, -1),
    summary: { ...summaryOf(configuration), problems: problemsOf(configuration) },
  };
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/**
 * The bytes of an object that is a member of the body, as they were received: spacing, escapes and numbers that a parser
 * would not keep. The body is known to be valid JSON with such a member.
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
 * Where there is no such member, it becomes the first one, with the white space that stands before the first one now.
 */

/** Where the value of a member of the outermost object begins and ends; undefined where it has no such member. */
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

/** The bytes with the stage; the bytes are known to be a JSON object. */
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
