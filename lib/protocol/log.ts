import type { Logger } from "pino";
import pino from "pino";
import { summarizeError } from "./error-summary";
import { toFile, toStream } from "./log-destination";
import { perProcess } from "./per-process";
import { workerNumber } from "./processes";
import { setting } from "./settings";
import { cut } from "./text";

/** The number of lines with the same text and the same error written in one span; the rest is only counted. */
const maxInSpan = 10;
const spanMilliseconds = 10_000;
const maxKinds = 500;

interface Kind {
  lines: number;
  /** Writes the number of omitted lines. */
  report: (leftOut: number) => void;
}

/** Counts the lines of each kind in the current interval. */
class Repeats {
  private kinds = new Map<string, Kind>();
  private timer: NodeJS.Timeout | undefined;

  /** Whether to write this line. `report` is called at the end of the span if similar lines were omitted. */
  admits(kind: string, report: (leftOut: number) => void): boolean {
    this.timer ??= setTimeout(() => this.end(), spanMilliseconds).unref();
    const key = this.kinds.has(kind) || this.kinds.size < maxKinds ? kind : "any other";
    const known = this.kinds.get(key) ?? { lines: 0, report };
    known.lines += 1;
    this.kinds.set(key, known);
    return known.lines <= maxInSpan;
  }

  /** Logs the number of omitted lines, and starts a new span. */
  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { kinds } = this;
    this.kinds = new Map();
    for (const { lines, report } of kinds.values())
      if (lines > maxInSpan) report(lines - maxInSpan);
  }
}

const warning = 40;

/** Lines are of one kind if they have the same text and the same error, whatever the request. */
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

/** The process's one logger. Never pass it headers, query strings, bodies or secrets. Errors in `err` are reduced to names and places. */
export function log(): Logger {
  const current = state();
  current.opened ??= openLog();
  return current.opened.logger;
}

/** Writes the counts and waits for the reader, a second at most: called before a process ends. */
export async function flushLog(): Promise<void> {
  const { opened } = state();
  opened?.repeats.end();
  await opened?.destination.flush(1000);
}

/** Also logs the console output of libraries: Next prints the error of a page whole. */
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
