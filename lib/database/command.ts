import { errorLine } from "@/lib/protocol/error-summary";
import { checkSettings } from "@/lib/protocol/settings";
import { closeStore, openStore } from "./open";

/** Runs a command of the operator, and prints the lines that it returns. */
export async function runProgram(work: () => Promise<string[]>): Promise<void> {
  try {
    checkSettings();
    process.stdout.write(`${(await work()).join("\n")}\n`);
  } catch (error) {
    console.error(errorLine(error));
    process.exitCode = 1;
  }
}

/** The same with an open store, whose server may be running. */
export async function runCommand(work: () => Promise<string[]>): Promise<void> {
  await runProgram(async () => {
    try {
      await openStore();
      return await work();
    } finally {
      await leaveStore();
    }
  });
}

/** Closes the store. A failure does not hide the command's result: it prints another line and sets exit code 1. */
export async function leaveStore(): Promise<void> {
  try {
    await closeStore();
  } catch (error) {
    console.error(errorLine(error));
    process.exitCode = 1;
  }
}
