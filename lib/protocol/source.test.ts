import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { forbiddenSource } from "./testing/source-rules";

async function sourceFiles(folder: string): Promise<string[]> {
  const files = await readdir(join(projectRoot(), folder), { recursive: true });
  return files.filter((file) => /\.tsx?$/.test(file)).map((file) => `${folder}/${file}`);
}

test("no file does what only other rooms may do", async () => {
  const files = (await Promise.all(["app", "lib"].map(sourceFiles))).flat();
  const found = await Promise.all(
    files.map(async (file) =>
      forbiddenSource(file, await readFile(join(projectRoot(), file), "utf8")),
    ),
  );
  expect(found.flat()).toEqual([]);
});

const planted: [rule: string, file: string, source: string][] = [
  ["a Response of a feature", "lib/features/users/a.ts", 'const a = new Response("");'],
  ["a FastResponse of a feature", "lib/features/users/a.ts", "const a = new FastResponse(null);"],
  ["a Response of a route", "app/v1/a/route.ts", "const a = Response.json({});"],
];

test.each(planted)("a planted violation is caught: %s", (_, file, source) => {
  expect(forbiddenSource(file, source)).toHaveLength(1);
});
