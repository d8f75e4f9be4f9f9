import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { forbiddenSource } from "./testing/source-rules";
import { wordsToReplace } from "./testing/word-list";

async function sourceFiles(folder: string): Promise<string[]> {
  const files = await readdir(join(projectRoot(), folder), { recursive: true });
  return files.filter((file) => /\.tsx?$/.test(file)).map((file) => `${folder}/${file}`);
}

test("no file does what only other layers may do", async () => {
  const files = (await Promise.all(["app", "components", "lib"].map(sourceFiles))).flat();
  const found = await Promise.all(
    files.map(async (file) =>
      forbiddenSource(file, await readFile(join(projectRoot(), file), "utf8")),
    ),
  );
  expect(found.flat()).toEqual([]);
});

/** The number of lines that disable a rule of the linter: it only goes down. */
const maxExceptions = 11;

test("few lines are exempt from a rule, and each states the reason", async () => {
  const folders = ["app", "bench", "components", "e2e", "lib", "scripts", "sdk/src"];
  const files = (await Promise.all(folders.map(sourceFiles))).flat();
  const texts = await Promise.all(files.map((file) => readFile(join(projectRoot(), file), "utf8")));
  const found = texts.flatMap((text) => text.match(/[/*] biome-ignore lint.*/g) ?? []);
  expect(found.filter((line) => !/^[/*] biome-ignore lint\/\w+\/\w+: \w/.test(line))).toEqual([]);
  expect(found.length).toBeLessThanOrEqual(maxExceptions);
});

/** What a browser test reads of a page once and compares without another look, or a wait for a time: a slow machine makes it red. */
const hasty =
  /waitForTimeout|expect(\.soft)?\(\(*\s*await [^;]*?\.(boundingBox|(is[A-Z]\w+|count|getAttribute|textContent|innerText|inputValue)\(\))/;

test("browser tests wait for the page's content", async () => {
  const files = (await sourceFiles("e2e")).filter((file) => !file.startsWith("e2e/audit/"));
  const texts = await Promise.all(files.map((file) => readFile(join(projectRoot(), file), "utf8")));
  expect(files.filter((_, index) => hasty.test(texts[index] ?? ""))).toEqual([]);
  expect(hasty.test("expect(await first.count()).toBe(2);")).toBe(true);
  expect(hasty.test("expect((await first.boundingBox())?.y).toBe(2);")).toBe(true);
});

/** Whether a theme sets more than colours. */
const themed = (file: string, text: string): boolean =>
  file.endsWith(".css")
    ? [...text.matchAll(/\[data-theme[^{]*\{([^}]*)\}/g)].some(([, body = ""]) =>
        /^\s*(?!--|color-scheme:)[\w-]+:/m.test(body),
      )
    : /[\s"'`]dark:/.test(text);

test("a theme changes only colours, so that browser tests compare its layout once", async () => {
  const styles = (await readdir(join(projectRoot(), "app"))).filter((file) =>
    file.endsWith(".css"),
  );
  const sources = [...(await sourceFiles("app")), ...(await sourceFiles("components"))];
  const files = [...styles.map((file) => `app/${file}`), ...sources];
  const texts = await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(projectRoot(), file), "utf8") })),
  );
  expect(texts.filter(({ file, text }) => themed(file, text)).map(({ file }) => file)).toEqual([]);
  expect(themed("app/a.css", '[data-theme="dark"] {\n  --a: red;\n  display: none;\n}')).toBe(true);
  expect(themed("components/a.tsx", '<p className="mt-1 dark:hidden" />')).toBe(true);
});

/** Classes of a background whose colour the theme does not have: Tailwind generates nothing for them. */
const colourless = (text: string, theme: string): string[] =>
  [...text.matchAll(/(?<=[\s"'`:])bg-([a-z][a-z-]*)(?=[\s"'`/])/g)]
    .filter(([, name]) => !theme.includes(`--color-${name}:`))
    .map(([found]) => found);

test("the theme has the colour of every background", async () => {
  const theme = await readFile(join(projectRoot(), "app/globals.css"), "utf8");
  const files = [...(await sourceFiles("app")), ...(await sourceFiles("components"))];
  const read = (file: string) => readFile(join(projectRoot(), file), "utf8");
  const found = await Promise.all(files.map(async (file) => colourless(await read(file), theme)));
  expect(found.flat()).toEqual([]);
  expect(colourless('<p className="p-1 bg-purple hover:bg-bg" />', theme)).toEqual(["bg-purple"]);
});

const planted: [rule: string, file: string, source: string][] = [
  ["a Response of a feature", "lib/features/users/a.ts", 'const a = new Response("");'],
  ["a FastResponse of a feature", "lib/features/users/a.ts", "const a = new FastResponse(null);"],
  ["a Response of a route", "app/v1/a/route.ts", "const a = Response.json({});"],
  ["state on globalThis", "lib/access/a.ts", "globalThis.cache = {};"],
  ["a cast globalThis", "lib/http/a.ts", "const shared = globalThis as { a?: number };"],
  ["a variable of a module", "lib/features/users/a.ts", "export let count = 0;"],
  ["a collection of a module", "lib/features/users/a.ts", "const seen = new Map<string, Date>();"],
  ["a typed collection", "lib/access/a.ts", "const seen: Map<string, Date> = new Map();"],
  ["a form that sends with GET", "components/a.tsx", "const a = <form onSubmit={b} />;"],
  ["a draft that no sign-out forgets", "components/a.ts", 'sessionStorage.setItem("a", "b");'],
  ["a draft of all tabs", "components/a.ts", 'window.localStorage.setItem("a", "b");'],
  ["a cache of a module", "lib/access/a.ts", "const seen = new LRUCache({ max: 100 });"],
  [
    "a timed read past the client",
    "components/users/a.tsx",
    'const polled = { queryFn: () => fetch("/v1/user/list"), refetchInterval: 5000 };',
  ],
  [
    "a pattern without a beginning",
    "lib/server/a.ts",
    "const address = /[^/\\s]+(?:@|%40)[^/]+/g;",
  ],
  ["one of several", "lib/http/a.ts", "const secret = /\\bsvs_\\w+|(\\w+)=x/;"],
  [
    "a store's failure that is taken for an answer",
    "app/a.ts",
    "try { b(); } catch (error) { if (!(error instanceof ApiError)) throw error; }",
  ],
  ["a stream of a component", "components/users/a.tsx", 'new EventSource("/v1/events");'],
];

test("a read-only collection in a module is allowed", () => {
  const source = 'const months: ReadonlyMap<string, number> = new Map([["jan", 1]]);';
  expect(forbiddenSource("lib/access/a.ts", source)).toEqual([]);
});

test("patterns that start with the text they look for, or consist of it, are allowed", () => {
  const source = "const a = [/^[^/]+@/, /\\d+/g, /@[^/]+/, /[^;]+/, /\\s*,/y];";
  expect(forbiddenSource("lib/server/a.ts", source)).toEqual([]);
});

test.each(planted)("finds a planted violation: %s", (_, file, source) => {
  expect(forbiddenSource(file, source)).toHaveLength(1);
});

test("every per-process value has its own name", async () => {
  const files = await sourceFiles("lib");
  const texts = await Promise.all(
    files
      .filter((file) => !file.endsWith(".test.ts"))
      .map((file) => readFile(join(projectRoot(), file), "utf8")),
  );
  const names = texts.flatMap((text) =>
    [...text.matchAll(/perProcess(?:<[^;=]*?>)?\(\s*"([^"]+)"/g)].map(([, name]) => name),
  );
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("identifiers use the terms of the field", async () => {
  const files = await sourceFiles("lib");
  const found = await Promise.all(
    files.map(async (file) =>
      wordsToReplace(file, await readFile(join(projectRoot(), file), "utf8")),
    ),
  );
  expect(found.flat()).toEqual([]);
});

test.each([
  ["a constant", "const mostTenants = 5;"],
  ["a function", "function tellCaller() {}"],
  ["a property", "const limits = { longest: 5 };"],
])("a planted word is caught in %s", (_, source) => {
  expect(wordsToReplace("lib/access/a.ts", source)).toHaveLength(1);
});
