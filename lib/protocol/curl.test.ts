import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { curlLine } from "./curl";
import { argumentsIn, hostileTexts } from "./testing/shell";

const url = "https://api.example.com/v1/user/list";

test.each(hostileTexts)("a shell passes %j in a query as a value", (text) => {
  const words = argumentsIn(curlLine({ url, headers: [], query: [["q", text]] }));
  const isShown = !/\p{Cc}/u.test(text);
  expect(words).toEqual([
    "--get",
    url,
    isShown ? "--data-urlencode" : "-d",
    `q=${isShown ? text : encodeURIComponent(text)}`,
  ]);
});

test.each(hostileTexts)("a shell passes %j in a header, a body and a URL unchanged", (text) => {
  const line = curlLine({
    url: `${url}?q=${text}`,
    headers: [
      ["X-Name", text],
      ["X-Key", { before: `${text} `, variable: "API_KEY" }],
    ],
    data: text,
    isVerbose: true,
  });
  const shown = text.replaceAll(/\p{Cc}/gu, "");
  expect(argumentsIn(line, { API_KEY: "svk_1" })).toEqual([
    "-i",
    `${url}?q=${text.replaceAll(/\p{Cc}/gu, encodeURIComponent)}`,
    "-H",
    `X-Name: ${shown}`,
    "-H",
    `X-Key: ${shown} svk_1`,
    text.startsWith("@") ? "--data-raw" : "-d",
    text.replaceAll(/(?![\n\t])\p{Cc}/gu, ""),
  ]);
});

test("no control character reaches the terminal except line ends and tabs", () => {
  for (const text of hostileTexts)
    expect(
      curlLine({ url: url + text, headers: [["X", text]], query: [["q", text]], data: text }),
    ).not.toMatch(/(?![\n\t])\p{Cc}/u);
});

async function sourceFiles(folder: string): Promise<string[]> {
  const files = await readdir(join(projectRoot(), folder), { recursive: true });
  return files
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => join(projectRoot(), folder, file));
}

test("nothing else in the product writes a curl command", async () => {
  const files = (await Promise.all(["app", "components", "lib"].map(sourceFiles))).flat();
  const writers: string[] = [];
  for (const file of files)
    if (/[`"']curl (?:-|\$|'|"|http)/.test(await readFile(file, "utf8"))) writers.push(file);
  expect(writers).toEqual([]);
});
