// Mutation testing: changes one thing in a source file, runs the tests nearest to it, and counts the mutants that a test detects.
//
//   npm run mutate -- --sample 20                    20 random mutants of lib/access and lib/http
//   npm run mutate -- lib/access/throttle.ts         every mutant of these files
//   npm run mutate -- --guards                       the guards of scripts/guards.json, each removed, with the tests it names
//   options: --seed 7 (which sample), --tests 8 (test files per mutant)
//
// Mutations: negates a condition, swaps a comparison or logical operator, removes a statement.
// A mutant is killed when a test fails or hangs; a survivor shows a line that no nearby test covers.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { parseArgs } from "node:util";
import { parseSync } from "oxc-parser";
import { root } from "./sources.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    guards: { type: "boolean" },
    seed: { type: "string", default: "1" },
    tests: { type: "string", default: "8" },
  },
});
const timeoutMs = 180_000;
const swapped = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "&&": "||",
  "||": "&&",
  "??": "&&",
};

const isTest = (file) => file.endsWith(".test.ts");
const filesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((file) => posix.join(folder, String(file)))
    .filter((file) => /\.tsx?$/.test(file));

/** Every node of a syntax tree, parents first. */
function* nodesOf(node) {
  if (typeof node?.type === "string") yield node;
  for (const child of Object.values(node ?? {}))
    if (typeof child === "object" && child !== null) yield* nodesOf(child);
}

/** The mutations of one node, as replacements of a part of the text. */
function mutationsOf(node, text) {
  const part = ({ start, end }) => text.slice(start, end);
  if (node.type === "IfStatement" || node.type === "ConditionalExpression") {
    const { start, end } = node.test;
    return [{ start, end, by: `!(${part(node.test)})`, what: "negated condition" }];
  }
  const by = swapped[node.operator];
  if ((node.type === "BinaryExpression" || node.type === "LogicalExpression") && by) {
    const between = text.slice(node.left.end, node.right.start);
    const start = node.left.end + between.indexOf(node.operator);
    return [{ start, end: start + node.operator.length, by, what: `${node.operator} -> ${by}` }];
  }
  if (node.type === "ThrowStatement" || (node.type === "ExpressionStatement" && !node.directive))
    return [{ start: node.start, end: node.end, by: ";", what: "removed statement" }];
  return [];
}

function mutantsOf(file) {
  const text = readFileSync(join(root, file), "utf8");
  const { program } = parseSync(file, text);
  return [...nodesOf(program)]
    .flatMap((node) => mutationsOf(node, text))
    .map((mutation) => ({
      ...mutation,
      file,
      line: text.slice(0, mutation.start).split("\n").length,
    }));
}

/** The files that import a file directly. A test uses the route next to it through the server, which loads routes by their path. */
function importersByFile(files) {
  const known = new Set(files);
  const importers = new Map(files.map((file) => [file, []]));
  for (const file of files) {
    const { module } = parseSync(file, readFileSync(join(root, file), "utf8"));
    const targets = module.staticImports.map(({ moduleRequest: { value } }) =>
      value.startsWith("@/") ? value.slice(2) : posix.join(posix.dirname(file), value),
    );
    if (isTest(file)) targets.push(posix.join(dirname(file), "route"));
    for (const target of targets)
      for (const candidate of [`${target}.ts`, `${target}.tsx`])
        if (known.has(candidate)) importers.get(candidate).push(file);
  }
  return importers;
}

/** The tests that reach a file over the fewest imports, nearest first. */
function nearestTests(file, importers, count) {
  const found = [];
  const seen = new Set([file]);
  for (let level = [file]; level.length > 0 && found.length < count; ) {
    level = level.flatMap((one) => importers.get(one) ?? []).filter((one) => !seen.has(one));
    for (const one of level) seen.add(one);
    level = [...new Set(level)];
    found.push(...level.filter(isTest));
  }
  return found.slice(0, count);
}

/** A sample that is the same for the same seed. */
function sampleOf(mutants, size, seed) {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return mutants
    .map((mutant) => ({ mutant, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, size)
    .map(({ mutant }) => mutant);
}

async function isKilled({ file, start, end, by }, tests) {
  const path = join(root, file);
  const text = readFileSync(path, "utf8");
  const { atime, mtime } = statSync(path);
  const restore = () => {
    writeFileSync(path, text);
    utimesSync(path, atime, mtime);
  };
  process.once("exit", restore);
  try {
    writeFileSync(path, text.slice(0, start) + by + text.slice(end));
    const command = ["vitest", "run", "--bail", "1", ...tests];
    const child = spawn("npx", command, { cwd: root, timeout: timeoutMs, stdio: "ignore" });
    const [status] = await once(child, "exit");
    return status !== 0;
  } finally {
    restore();
    process.off("exit", restore);
  }
}

// Ends with `exit`, so that the mutated file is restored.
process.once("SIGINT", () => process.exit(130));
/** The guards against findings of a review, removed one at a time. Throws for a guard that its file no longer has. */
function guardMutants() {
  const guards = JSON.parse(readFileSync(join(root, "scripts", "guards.json"), "utf8"));
  return guards.map(({ finding, file, from, to, tests }) => {
    const text = readFileSync(join(root, file), "utf8");
    const start = text.indexOf(from);
    if (start === -1 || text.includes(from, start + 1))
      throw new Error(`${file} does not have this once, of "${finding}": ${from}`);
    const line = text.slice(0, start).split("\n").length;
    return { start, end: start + from.length, by: to, what: finding, file, line, tests };
  });
}

function ofGuards() {
  const all = guardMutants();
  return { all, chosen: all, from: "scripts/guards.json" };
}

/** The mutants of these files, each with the tests nearest to it. */
function generatedMutants() {
  const sources = ["lib", "app", "components"].flatMap(filesBelow);
  const importers = importersByFile(sources);
  const targets =
    positionals.length > 0
      ? positionals
      : sources.filter(
          (file) =>
            /^lib\/(access|http)\//.test(file) && !isTest(file) && !file.includes("/testing/"),
        );
  const all = targets.flatMap(mutantsOf);
  const chosen = values.sample ? sampleOf(all, Number(values.sample), Number(values.seed)) : all;
  const withTests = chosen.map((mutant) => ({
    ...mutant,
    tests: nearestTests(mutant.file, importers, Number(values.tests)),
  }));
  return { all, chosen: withTests, from: `${targets.length} files` };
}

const { all, chosen, from } = values.guards ? ofGuards() : generatedMutants();
let killed = 0;
for (const [index, mutant] of chosen.entries()) {
  const isCaught = mutant.tests.length > 0 && (await isKilled(mutant, mutant.tests));
  if (isCaught) killed += 1;
  process.stdout.write(
    `${index + 1}/${chosen.length} ${isCaught ? "killed  " : "SURVIVED"} ${mutant.file}:${mutant.line} ${mutant.what}\n`,
  );
}
process.stdout.write(
  `${killed} of ${chosen.length} mutants killed (${Math.round((100 * killed) / Math.max(1, chosen.length))} %), of ${all.length} possible in ${from}\n`,
);
