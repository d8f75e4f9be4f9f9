import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { ensureBuilt, makeStoreFolder, type Product, startProduct } from "./testing/product";

const readme = readFileSync(join(projectRoot(), "README.md"), "utf8");
const dataDir = makeStoreFolder();
let product: Product;

beforeAll(async () => {
  ensureBuilt();
  product = await startProduct(dataDir, { DATABASE_URL: "", DEMO: "on" });
}, 180_000);
afterAll(async () => {
  await product.stop();
  rmSync(dataDir, { recursive: true });
});

async function printedPassword(): Promise<string> {
  for (;;) {
    const password = /Password\s+(\S+)/.exec(product.output())?.[1];
    if (password) return password;
    await pause(20);
  }
}

/** The blocks of commands under a heading, as they are written. */
function blocksOf(heading: string): string[] {
  const [, text = ""] = readme.split(`\n## ${heading}\n`);
  const [section = ""] = text.split("\n## ");
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = ""]) => block.trim());
}

/** Runs the command of the README for the first call, with a password as somebody types it. */
async function firstKey(password: string) {
  const [command = ""] = blocksOf("First call");
  const child = spawn("sh", ["-euc", `${command} -- --url ${product.url}`], { cwd: projectRoot() });
  child.stdin.end(`${password}\n`);
  const [printed, complaint] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  const value = (label: string) => new RegExp(`^${label}.*:  (\\S+)$`, "m").exec(printed)?.[1];
  return {
    code: child.exitCode,
    complaint,
    password: value("New password"),
    apiKey: value("API key"),
    curl: /^ {2}(curl .*)$/m.exec(printed)?.[1] ?? "",
  };
}

test("the README begins with the two commands that install, start and test", () => {
  expect(blocksOf("Run it")).toEqual(["npm ci && npm start"]);
  expect(blocksOf("Change it")).toEqual(["npm ci && npm test"]);
});

test.runIf(spawnSync("curl", ["--version"]).status === 0)(
  "the README's command leads from the printed password to a list of users",
  async () => {
    const first = await firstKey(await printedPassword());
    expect(first).toMatchObject({ code: 0, apiKey: expect.stringMatching(/^svk_/) });
    const { stdout } = await promisify(execFile)("sh", ["-euc", `${first.curl} -sS`]);
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ tenant: "demo" }));

    const again = await firstKey(first.password ?? "");
    expect(again).toMatchObject({ code: 0, password: undefined });
    expect(again.apiKey).not.toBe(first.apiKey);
  },
);

test("a wrong password is reported in a sentence", async () => {
  const { code, complaint } = await firstKey("not the password");
  expect(code).toBe(1);
  expect(complaint).toMatch(/^POST \/v1\/user\/session-login: 401 .*\n$/m);
  expect(complaint).not.toContain("    at ");
});
