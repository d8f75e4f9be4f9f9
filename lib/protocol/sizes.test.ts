import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { sizeProblems } from "./testing/size-rules";

async function sourceFiles(folder: string): Promise<string[]> {
  const files = await readdir(join(projectRoot(), folder), { recursive: true });
  return files
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`)
    .filter((file) => !/^sdk\/(dist\/|src\/generated-)/.test(file));
}

test("files, functions and parameter lists are within the size limits", async () => {
  const folders = ["app", "bench", "components", "e2e", "lib", "sdk"];
  const files = [...(await Promise.all(folders.map(sourceFiles))).flat(), "server.ts"];
  const problems = await Promise.all(
    files.map(async (file) =>
      sizeProblems(file, await readFile(join(projectRoot(), file), "utf8")),
    ),
  );
  expect(problems.flat()).toEqual([]);
});

const lines = (count: number) => "a();\n".repeat(count);

test.each([
  ["a long file", "lib/a.ts", lines(251)],
  ["a long test file", "lib/a.test.ts", lines(251)],
  ["a long route", "app/v1/a/route.ts", lines(16)],
  ["a long page", "app/a/page.tsx", lines(31)],
  ["a long function", "lib/a.ts", `function a() {\n${lines(49)}}`],
  ["a long component", "components/a.tsx", `const A = () => {\n${lines(49)}};`],
  ["a long helper of a test", "lib/a.test.ts", `function a() {\n${lines(49)}}`],
  ["five parameters", "lib/a.ts", "const f = (a, b, c, d, e) => a;"],
  ["five parameters in a browser test", "e2e/a.spec.ts", "function f(a, b, c, d, e) {}"],
])("a planted violation is caught: %s", (_, file, source) => {
  expect(sizeProblems(file, source)).toHaveLength(1);
});

test.each([
  ["a file of 250 lines", "lib/a.ts", lines(250)],
  ["a function of 50 lines", "lib/a.ts", `function a() {\n${lines(48)}}`],
  ["a long test case", "lib/a.test.ts", `test("a", () => {\n${lines(60)}});`],
  ["four parameters", "lib/a.ts", "const f = (a, b, c, d) => a;"],
])("is allowed: %s", (_, file, source) => {
  expect(sizeProblems(file, source)).toEqual([]);
});
