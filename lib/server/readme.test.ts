import { execFile, spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
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
function blocksOf(heading: string): string {
  const [, text = ""] = readme.split(`\n## ${heading}\n`);
  const [section = ""] = text.split("\n## ");
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join("\n");
}

const headings = [
  "First call",
  "From nobody to a customer profile in five calls",
  "Save a preview configuration",
  "Rotate a key",
];

test.runIf(spawnSync("curl", ["--version"]).status === 0)(
  "the README's commands work as they are written, in one shell from top to bottom",
  async () => {
    const password = await printedPassword();
    const script = headings
      .map(blocksOf)
      .join("\n")
      .replace("http://localhost:3000", product.url)
      .replace("the printed one-time password", password);
    const { stdout, stderr } = await promisify(execFile)("sh", ["-eu", "-c", script]);
    expect(stderr).toBe("");
    const bodies = stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
    const [users, registered, profile, tokens, created, updated, checked, afterRotation] = bodies;
    expect(bodies).toHaveLength(8);
    expect(users.map((user: { login: string }) => user.login)).toContain("admin");
    expect(registered).toMatchObject({ login: "ann@example.com", siteIds: ["eu-store"] });
    expect(profile).toEqual(registered);
    expect(Object.keys(tokens).sort()).toEqual(["accessToken", "refreshToken"]);
    expect(created).toMatchObject({ title: "Spring" });
    expect(updated).toMatchObject({ title: "Spring fair" });
    expect(checked.problems).toHaveLength(1);
    expect(afterRotation).toHaveLength(1);
  },
);
