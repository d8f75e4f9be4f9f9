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

/** The same on the store of a server that may be running. */
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

/** A command's result is printed even if closing the store fails afterwards: that is one more line, and exit code 1. */
export async function leaveStore(): Promise<void> {
  try {
    await closeStore();
  } catch (error) {
    console.error(errorLine(error));
    process.exitCode = 1;
  }
}
