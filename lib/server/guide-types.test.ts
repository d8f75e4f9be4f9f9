import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readGuideSources } from "@/lib/catalogue/guides/parse";
import { projectRoot } from "@/lib/database/data-dir";
import { codeOf } from "./testing/guide-script";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-guide-types-"));
afterAll(() => rmSync(folder, { recursive: true }));

const require = createRequire(import.meta.url);
const compiler = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");

const examples = readGuideSources().flatMap((guide) =>
  codeOf(guide)
    .filter(({ language }) => language === "ts")
    .map(({ text }, index) => ({ name: `${guide.name}-${index}.ts`, text })),
);

/** Checks files of the folder against the sources of the client; returns the compiler's output. */
function check(files: string[]): string {
  const root = projectRoot();
  const client = (entry: string) => [join(root, "sdk/src", entry)];
  const options = {
    compilerOptions: {
      ...{ strict: true, noEmit: true, skipLibCheck: true, target: "es2022" },
      ...{ module: "nodenext", types: ["node"], typeRoots: [join(root, "node_modules/@types")] },
      paths: {
        "@gatehouse/client": client("index.ts"),
        "@gatehouse/client/middleware": client("middleware.ts"),
      },
    },
    files: [...files, "frameworks.d.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  copyFileSync(join(root, "lib/server/testing/frameworks.d.ts"), join(folder, "frameworks.d.ts"));
  return spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" }).stdout;
}

test("examples for Express and Fastify have the types of those and of the client", () => {
  for (const { name, text } of examples) writeFileSync(join(folder, name), text);
  expect(examples.length).toBeGreaterThan(1);
  expect(check(examples.map(({ name }) => name))).toBe("");
});

test("an example with wrong types is detected", () => {
  const [first] = examples;
  const wrong = first?.text.replace("expressMiddleware(verifier,", "expressMiddleware(express,");
  writeFileSync(join(folder, "wrong.ts"), wrong ?? "");
  expect(check(["wrong.ts"])).toMatch(/wrong\.ts\(\d+,\d+\): error TS2345/);
});
