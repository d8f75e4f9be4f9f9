import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { operations } from "@/lib/catalogue/operations";
import { compareUnobserved, unobservedResponses } from "./unobserved-responses";

const list = join(import.meta.dirname, "unobserved-responses.txt");
const linesOf = (file: string) => readFileSync(file, "utf8").split("\n").filter(Boolean);

function observedIn(folder: string): Set<string> {
  return new Set(readdirSync(folder).flatMap((file) => linesOf(join(folder, file))));
}

/** Whether every test there is ran, and passed: a part of them observes a part. */
async function isWholeRun(project: TestProject): Promise<boolean> {
  const { state, config } = project.vitest;
  const files = state.getFiles();
  const passed = new Set(
    files.filter(({ result }) => result?.state === "pass").map(({ filepath }) => filepath),
  );
  const { testFiles } = await project.globTestFiles();
  return config.testNamePattern === undefined && testFiles.every((file) => passed.has(file));
}

/**
 * After a run of all tests: fails it when a status or code is declared that no test got and that the list does not name, or the list names
 * one that a test got. With OBSERVED_RESPONSES=folder the responses of several runs are collected there, and the list is written anew.
 */
export function setup(project: TestProject): () => Promise<void> {
  const collection = process.env.OBSERVED_RESPONSES;
  const folder = collection ?? mkdtempSync(join(tmpdir(), "gatehouse-observed-"));
  mkdirSync(folder, { recursive: true });
  project.provide("observedResponses", folder);
  return async () => {
    const unobserved = unobservedResponses(operations, observedIn(folder));
    if (collection) {
      writeFileSync(list, `${unobserved.join("\n")}\n`);
      return;
    }
    rmSync(folder, { recursive: true });
    if (!(await isWholeRun(project))) return;
    const faults = compareUnobserved(unobserved, linesOf(list));
    if (faults.length === 0) return;
    process.stderr.write(`\n${faults.join("\n")}\n`);
    process.exitCode = 1;
  };
}
