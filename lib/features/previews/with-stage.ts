import type { PreviewStage } from "@/lib/protocol/documents/preview";

/*
 * Changes the member `stage` of a JSON object and leaves every other byte as it is:
 *
 *     { "title": "Home", "stage": "draft", "price": 1.10 }
 *                                 ^^^^^^^ start, end of the value
 *
 * Where there is no such member, it becomes the first one, with the white space that stands before the first one now.
 */

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

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
