import pino, { type Logger } from "pino";
import { summarizeError } from "@/lib/protocol/error-summary";
import { toFile, toStream } from "@/lib/protocol/log-destination";
import { Repeats } from "@/lib/protocol/log-repeats";
import { perProcess } from "@/lib/protocol/per-process";
import { setting } from "@/lib/protocol/settings";
import { workerNumber } from "@/lib/protocol/worker-number";
import { cut } from "./text";

const warning = 40;

/** Lines are of one kind when they say the same of the same error, whatever request it was. */
function kindOf(fields: unknown, message: unknown): string {
  const { err } = (typeof fields === "object" && fields !== null ? fields : {}) as {
    err?: unknown;
  };
  const { type, code, table, constraint } =
    err === undefined ? ({} as Partial<ReturnType<typeof summarizeError>>) : innermost(err);
  return [message, type, code, table, constraint].join(" ");
}

function innermost(error: unknown) {
  let summary = summarizeError(error);
  while (summary.cause) summary = summary.cause;
  return summary;
}

function openLog() {
  const file = setting("LOG_FILE");
  const destination = file ? toFile(file) : toStream(process.stdout);
  const repeats = new Repeats();
  const logger = pino(
    {
      level: setting("LOG_LEVEL"),
      base: workerNumber === undefined ? null : { worker: workerNumber },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => summarizeError(error) },
      hooks: {
        logMethod(args, method, level) {
          const [fields, message] = args as unknown[];
          const logRepeats = (leftOut: number) =>
            method.apply(this, [
              { leftOut },
              `${String(message ?? fields)} (more of the same)`,
            ] as never);
          if (level < warning || repeats.admits(kindOf(fields, message), logRepeats))
            method.apply(this, args);
        },
      },
    },
    destination,
  );
  return { logger, destination, repeats };
}

const state = perProcess("log", (): { opened?: ReturnType<typeof openLog> } => ({}));

/** The process's one logger. Never hand it headers, query strings, bodies or secrets. An Error goes under `err`, where only names and places are kept. */
export function log(): Logger {
  const current = state();
  current.opened ??= openLog();
  return current.opened.logger;
}

/** Writes what was counted and waits for the reader, a second at most: what a process does before it ends. */
export async function flushLog(): Promise<void> {
  const { opened } = state();
  opened?.repeats.end();
  await opened?.destination.flush(1000);
}

/** What libraries print goes the same way: Next prints the error of a page whole. */
export function keepConsoleClean(): void {
  const texts = (args: unknown[]) => args.filter((arg) => typeof arg === "string");
  for (const level of ["error", "warn"] as const) {
    console[level] = (...args: unknown[]) => {
      const error = args.find((arg) => arg instanceof Error);
      const words = error ? "a library reported an error" : withoutStatement(texts(args).join(" "));
      log()[level]({ ...(error ? { err: error } : {}) }, words);
    };
  }
}

const maxTextLength = 1000;

const withoutStatement = (words: string) =>
  cut(words.replace(/Failed query:[\s\S]*/, "Failed query"), maxTextLength, "");
