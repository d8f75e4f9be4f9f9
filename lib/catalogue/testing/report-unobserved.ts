import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { operations } from "@/lib/catalogue/operations";
import { unobservedResponses } from "./unobserved-responses";

const linesOf = (file: string) => readFileSync(file, "utf8").split("\n").filter(Boolean);

function observedIn(folder: string): Set<string> {
  return new Set(readdirSync(folder).flatMap((file) => linesOf(join(folder, file))));
}

/** Whether all tests ran and passed: a partial run observes only some responses. */
async function isWholeRun(project: TestProject): Promise<boolean> {
  const { state, config } = project.vitest;
  const files = state.getFiles();
  const passed = new Set(
    files.filter(({ result }) => result?.state === "pass").map(({ filepath }) => filepath),
  );
  const { testFiles } = await project.globTestFiles();
  return config.testNamePattern === undefined && testFiles.every((file) => passed.has(file));
}

/** After a run of all tests: fails it if no test got a declared status or code. */
export function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-observed-"));
  project.provide("observedResponses", folder);
  return async () => {
    const unobserved = unobservedResponses(operations, observedIn(folder));
    rmSync(folder, { recursive: true });
    if (unobserved.length === 0 || !(await isWholeRun(project))) return;
    const faults = unobserved.map(
      (line) => `${line}: declared, and no test gets it. Test it or remove the declaration.`,
    );
    process.stderr.write(`\n${faults.join("\n")}\n`);
    process.exitCode = 1;
  };
}
