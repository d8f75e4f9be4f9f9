import { errorLine } from "@/lib/protocol/error-summary";
import { checkSettings } from "@/lib/protocol/settings";
import { closeStore, openStore } from "./open";

/** Runs a command of whoever runs the server, on the store of a server that may be running, and prints what it answers. */
export async function runCommand(work: () => Promise<string[]>): Promise<void> {
  try {
    checkSettings();
    await openStore();
    process.stdout.write(`${(await work()).join("\n")}\n`);
  } catch (error) {
    console.error(errorLine(error));
    process.exitCode = 1;
  } finally {
    await closeStore();
  }
}
