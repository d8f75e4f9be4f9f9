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
