import { parseSync, Visitor } from "oxc-parser";

/** The maximum number of lines of a file; the first matching pattern applies. */
const maxFileLines: [RegExp, number][] = [
  [/^app\/.*\/route\.ts$/, 15],
  [/^app\/(.*\/)?page\.tsx$/, 30],
  [/./, 250],
];

const maxFunctionLines = 50;
const maxParameters = 4;

/** Functions that may exceed the limit, as "file name". */
const exceptions: ReadonlySet<string> = new Set([
  // Runs in the page and cannot use anything from its file.
  "e2e/customers-cross-origin.spec.ts shop",
]);

interface FunctionNode {
  start: number;
  end: number;
  params: unknown[];
  id?: { name: string } | null;
}

const filledLines = (text: string) => text.split("\n").filter((line) => line.trim()).length;

function fileProblems(file: string, source: string): string[] {
  const lines = source.trimEnd().split("\n").length;
  const max = maxFileLines.find(([pattern]) => pattern.test(file))?.[1] ?? 0;
  return lines > max ? [`${file}: ${lines} lines, at most ${max}`] : [];
}

/** The parts of a file that exceed the size limits. Test cases may be long, but not their parameters and helpers. */
export function sizeProblems(file: string, source: string): string[] {
  const problems = fileProblems(file, source);
  const isTest = /\.(test|spec)\.tsx?$/.test(file);
  const visit = (node: FunctionNode) => {
    const name = node.id?.name ?? "a function";
    if (exceptions.has(`${file} ${name}`)) return;
    const line = source.slice(0, node.start).split("\n").length;
    const isNamed = node.id !== undefined && node.id !== null;
    const lines = filledLines(source.slice(node.start, node.end));
    if (lines > maxFunctionLines && (isNamed || !isTest))
      problems.push(`${file}:${line}: ${name} has ${lines} lines, at most ${maxFunctionLines}`);
    if (node.params.length > maxParameters)
      problems.push(
        `${file}:${line}: ${name} takes ${node.params.length} parameters, at most ${maxParameters}`,
      );
  };
  const { program } = parseSync(file, source);
  new Visitor({
    FunctionDeclaration: visit,
    FunctionExpression: visit,
    ArrowFunctionExpression: visit,
  }).visit(program);
  return problems;
}
