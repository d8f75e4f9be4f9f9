/**
 * node scripts/texts.mjs missing            the texts without a German translation, as JSON: area -> English -> ""
 * node scripts/texts.mjs missing users      those of one area, as they go into components/texts/de/users.json
 * node scripts/texts.mjs check              the errors of the German catalogues
 * node scripts/texts.mjs api                the messages of errors: may be translated in components/texts/de/lib.json
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The test's own parser of the source, so that both agree. */
async function read(file) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [`components/texts/testing/${file}.ts`],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
    outdir: ".",
  });
  const source = outputFiles[0].text.replaceAll(
    'from "oxc-parser"',
    `from ${JSON.stringify(import.meta.resolve("oxc-parser"))}`,
  );
  return import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`);
}

const [command, area] = process.argv.slice(2);
const print = (value) => process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
const sorted = (catalogue = {}) =>
  Object.fromEntries(Object.entries(catalogue).sort(([a], [b]) => (a < b ? -1 : 1)));

if (command === "missing") {
  const { missingTexts } = await read("catalogue");
  const missing = missingTexts(root);
  for (const name of Object.keys(missing)) missing[name] = sorted(missing[name]);
  print(area === undefined ? sorted(missing) : (missing[area] ?? {}));
} else if (command === "check") {
  const { germanProblems } = await read("catalogue");
  const problems = germanProblems(root);
  print(problems);
  if (problems.length > 0) process.exitCode = 1;
} else if (command === "api") {
  const { optionalTexts } = await read("lib-texts");
  print([...optionalTexts(root)].sort());
} else {
  process.stderr.write("node scripts/texts.mjs missing [area] | check | api\n");
  process.exitCode = 1;
}
