import { type CodeBlock, type Guide, isCode } from "@/lib/catalogue/guides/guide";

/** A guide's commands and examples, in the order of the page. */
export const codeOf = (guide: Guide): CodeBlock[] =>
  guide.sections.flatMap(({ blocks }) => blocks.filter(isCode));

const isRun = ({ language }: CodeBlock) => language === "sh" || language === "js";
const markerOf = (index: number) => `@@ block ${index}`;

/** One shell script of all commands of a page, as a reader would paste them; JavaScript gets the shell's variables. */
export function scriptOf(blocks: CodeBlock[]): string {
  const parts = blocks.map((block, index) => {
    if (!isRun(block)) return "";
    const js = `node --input-type=module <<'END_OF_BLOCK'\n${block.text}\nEND_OF_BLOCK`;
    return `printf '\\n${markerOf(index)}\\n'\n${block.language === "js" ? js : block.text}\n`;
  });
  return `set -a\n${parts.join("")}`;
}

/** The output of each block, by its position on the page. */
export function outputsOf(stdout: string): Map<number, string> {
  const parts = stdout.split(/\n?@@ block (\d+)\n/).slice(1);
  const outputs = new Map<number, string>();
  for (let at = 0; at < parts.length; at += 2)
    outputs.set(Number(parts[at]), (parts[at + 1] ?? "").trim());
  return outputs;
}

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const isObject = (value: Json): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An error must match word for word. */
const isError = (value: Json) =>
  isObject(value) && typeof value.code === "string" && "detail" in value;

/** The differences in fields and types between an example and the response. Null stands for any type: a field may be null. */
export function shapeDifferences(example: Json, answered: Json, at = ""): string[] {
  if (example === null || answered === null) return [];
  if (isError(example) && JSON.stringify(example) !== JSON.stringify(answered))
    return [`${at}: the error is ${JSON.stringify(answered)}`];
  if (Array.isArray(example) && Array.isArray(answered)) {
    const [first] = answered;
    if (example.length > 0 && first === undefined) return [`${at}: the list is empty`];
    return example.flatMap((item, index) =>
      shapeDifferences(item, answered[index] ?? first ?? null, `${at}/${index}`),
    );
  }
  if (isObject(example) && isObject(answered)) {
    const names = new Set([...Object.keys(example), ...Object.keys(answered)]);
    return [...names].flatMap((name) => {
      const [one, other] = [example[name], answered[name]];
      if (one === undefined) return [`${at}/${name}: the example lacks it`];
      return other === undefined
        ? [`${at}/${name}: only the example has it`]
        : shapeDifferences(one, other, `${at}/${name}`);
    });
  }
  return typeof example === typeof answered && !isObject(example) && !isObject(answered)
    ? []
    : [`${at}: has another type`];
}

interface Response {
  status: string;
  headers: string[];
  body: string;
}

/** Reads the last response from curl's output with -i or -D. */
function readResponse(text: string): Response {
  const lines = text.replaceAll("\r", "").split("\n");
  const start = lines.findLastIndex((line) => line.startsWith("HTTP/1.1 "));
  const end = lines.findIndex((line, index) => index > start && line === "");
  const head = lines.slice(start, end === -1 ? undefined : end);
  return {
    status: head[0]?.split(" ")[1] ?? "",
    headers: head.slice(1).map((line) => (line.split(":")[0] ?? "").toLowerCase()),
    body: end === -1 ? "" : lines.slice(end).join("\n").trim(),
  };
}

function responseDifferences(example: string, printed: string): string[] {
  const [shown, answered] = [readResponse(example), readResponse(printed)];
  const missing = shown.headers.filter((name) => !answered.headers.includes(name));
  return [
    ...(shown.status === answered.status ? [] : [`${answered.status} instead of ${shown.status}`]),
    ...missing.map((name) => `${name}: only the example has it`),
    ...(shown.body === ""
      ? []
      : shapeDifferences(JSON.parse(shown.body), JSON.parse(answered.body))),
  ];
}

/** The differences between a page's examples and the output of the commands before them. */
export function exampleDifferences(blocks: CodeBlock[], outputs: Map<number, string>): string[] {
  let printed = "";
  return blocks.flatMap((block, index) => {
    if (isRun(block)) printed = outputs.get(index) ?? "";
    if (isRun(block)) return outputs.has(index) ? [] : [`block ${index} did not run`];
    // Its types are checked instead: it needs packages that are not installed here.
    if (block.language === "ts") return [];
    if (block.language !== "json" && block.language !== "http")
      return [`block ${index} is ${block.language}: a guide holds sh, js, ts, json and http`];
    const differences =
      block.language === "http"
        ? responseDifferences(block.text, printed)
        : shapeDifferences(JSON.parse(block.text), JSON.parse(printed));
    return differences.map((one) => `block ${index}: ${one}`);
  });
}
