import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot } from "@/lib/database/data-dir";
import { openApi } from "./openapi";
import { namedOperations } from "./operations";

const execute = promisify(execFile);
const root = projectRoot();
const rules = (name: string) => join(root, "lib/catalogue/testing", name);

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-openapi-"));
  file = join(folder, "openapi.json");
  const document = openApi(namedOperations, "https://gatehouse.test");
  await writeFile(file, JSON.stringify(document, undefined, 1));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a linter; what it prints where it finds errors, else "". */
async function lint(tool: string, ...options: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  try {
    await execute(join(root, "node_modules/.bin", tool), ["lint", file, ...options], {
      cwd: root,
      env,
      maxBuffer: 16 * 1024 * 1024,
    });
    return "";
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`;
  }
}

test("Redocly's recommended-strict rules find no error", { timeout: 180_000 }, async () => {
  expect(await lint("redocly", `--config=${rules("redocly.yaml")}`, "--format=stylish")).toBe("");
});

test("Spectral's OpenAPI and OWASP rules find no error", { timeout: 180_000 }, async () => {
  const options = [`--ruleset=${rules("spectral.yaml")}`, "--fail-severity=error"];
  expect(await lint("spectral", ...options, "--display-only-failures", "--quiet")).toBe("");
});
