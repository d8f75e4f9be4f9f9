#!/usr/bin/env node
import { parseArgs } from "node:util";
import { commands } from "./cli-commands.js";
import { UsageError } from "./cli-config.js";
import { Output } from "./cli-output.js";
import { readSecret } from "./cli-secret.js";
import { isGatehouseError } from "./errors.js";

const usage = () =>
  [
    "gatehouse COMMAND [--output table|json]",
    "",
    ...Object.values(commands).map(({ usage: line, summary }) => `  ${line}\n      ${summary}`),
    "",
    "GATEHOUSE_URL, GATEHOUSE_TENANT, GATEHOUSE_SITE and GATEHOUSE_API_KEY win over what login has stored.",
    "",
  ].join("\n");

/** The command at the beginning of the arguments: one word or two. */
function commandOf([first = "", second = "", ...rest]: readonly string[]) {
  const pair = commands[`${first} ${second}`];
  if (pair) return { command: pair, rest };
  const single = commands[first];
  if (!single) throw new UsageError(`There is no command "${first}". Run: gatehouse --help`);
  return { command: single, rest: [second, ...rest].filter((one) => one !== "") };
}

function parse(args: string[], names: readonly string[]) {
  const options = Object.fromEntries(
    [...names, "output"].map((name) => [name, { type: "string" as const }]),
  );
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function main(args: string[]): Promise<void> {
  if (args.length === 0 || args.includes("--help")) {
    process.stdout.write(usage());
    return;
  }
  const { command, rest } = commandOf(args);
  const { output = "table", ...options } = parse(rest, command.options) as Record<string, string>;
  if (output !== "table" && output !== "json") throw new UsageError("--output is table or json.");
  const controller = new AbortController();
  process.once("SIGINT", () => controller.abort());
  await command.run({
    options,
    environment: process.env,
    output: new Output(output === "json", (text) => process.stdout.write(text)),
    readSecret,
    signal: controller.signal,
  });
}

/** 1 for a failed call, 2 for a command that cannot be run. */
function report(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
  if (!isGatehouseError(error)) throw error;
  const request = error.requestId === undefined ? "" : ` (request ${error.requestId})`;
  process.stderr.write(`${error.code}: ${error.message}${request}\n`);
  return 1;
}

// A reader such as `head` closes the pipe when it is done.
process.stdout.once("error", () => process.exit(0));

main(process.argv.slice(2)).catch((error: unknown) => {
  process.exitCode = report(error);
});
