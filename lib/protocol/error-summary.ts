import { cut } from "./text";

/** The loggable parts of an error: never a parameter, a row's values or a caller's text. */
export interface ErrorSummary {
  type: string;
  code?: string;
  table?: string;
  constraint?: string;
  /** The store's statement: its verb and table, or its own name. */
  statement?: string;
  message?: string;
  frames?: string[];
  cause?: ErrorSummary;
}

const deepest = 5;
const maxFrames = 10;
const maxMessageLength = 300;
/** Only the start of a longer message is scanned: it may quote what a caller sent. */
const maxReadLength = 2000;

/** SQLSTATE classes whose messages describe the server's state and no row: connection, access, resources, intervention, the system. */
const plainClasses = /^(?:08|25|28|3D|53|55|57|58)/;
const identifier = /^[\w.$-]{1,100}$/;
const frame = /^\s+at (?:[^(]+\()?(?:file:\/\/)?(\/[^\s()]+:\d+:\d+)\)?$/;

/** Sessions, keys, link tokens, JWTs, hashes and e-mail addresses, wherever a message quotes one. */
const personal =
  /\bsv[a-z]_\w{8,}|\beyJ[\w-]+(?:\.[\w-]+)*|\$argon2\S+|\b[\w-]{40,}\b|[^\s"'`<>()[\],;:=]+@[^\s"'`<>()[\],;:=]+/g;

type Link = Record<string, unknown>;

/** Only identifiers may pass: an error caused by a caller may have any text in any field. */
function name(value: unknown): string | undefined {
  return typeof value === "string" && identifier.test(value) ? value : undefined;
}

/** The verb and the first table of a statement; its text may hold values. */
function statementOf(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const verb =
    /^\s*(?:with\b[\s\S]*?\b)?(select|insert|update|delete|create|drop|alter|begin|commit|rollback|set)\b/i.exec(
      text,
    )?.[1];
  const table =
    /\b(?:from|into|update|table)\s+(?:only\s+|if\s+(?:not\s+)?exists\s+)?(?:"?\w+"?\.)?"?(\w+)"?/i.exec(
      text,
    )?.[1];
  return verb === undefined ? undefined : [verb.toLowerCase(), table].filter(Boolean).join(" ");
}

/** The stack frames in the product's own code. The text before the first frame is the message and is dropped. */
function framesOf(error: Error): string[] {
  const stack = error.stack ?? "";
  const afterMessage = stack.includes(error.message)
    ? stack.slice(stack.indexOf(error.message) + error.message.length)
    : stack;
  return afterMessage
    .split("\n")
    .flatMap((line) => frame.exec(line)?.[1] ?? [])
    .filter((place) => !place.includes("/node_modules/"))
    .slice(0, maxFrames);
}

const isOfStore = (link: Link) =>
  typeof link.severity === "string" || typeof link.query === "string";

/** A parser quotes its invalid input; the store quotes values. */
function messageOf(error: Error, link: Link): string | undefined {
  if (
    isOfStore(link) &&
    !(typeof link.severity === "string" && plainClasses.test(String(link.code)))
  )
    return undefined;
  if (error instanceof SyntaxError) return undefined;
  const read = cut(error.message, maxReadLength, "");
  return cut(read.replace(personal, "..."), maxMessageLength, "");
}

/** The error and its causes, with names and places only. Every error that is logged or printed is summarised here. */
export function summarizeError(error: unknown, depth = 0): ErrorSummary {
  if (!(error instanceof Error)) return { type: typeof error };
  const link = error as unknown as Link;
  const summary = {
    type: name(error.constructor.name) ?? "Error",
    code: name(link.code),
    table: name(link.table),
    constraint: name(link.constraint),
    statement: name(link.statement) ?? statementOf(link.query),
    message: messageOf(error, link),
  };
  const frames = framesOf(error);
  const causes = [error.cause, ...(error instanceof AggregateError ? error.errors : [])].filter(
    (cause) => cause instanceof Error,
  );
  return {
    ...(Object.fromEntries(
      Object.entries(summary).filter(([, value]) => value !== undefined),
    ) as typeof summary & { type: string }),
    ...(frames.length > 0 ? { frames } : {}),
    ...(causes[0] !== undefined && depth < deepest
      ? { cause: summarizeError(causes[0], depth + 1) }
      : {}),
  } as ErrorSummary;
}

/** The same as one line, for a terminal. */
export function errorLine(error: unknown): string {
  const { type, code, table, constraint, statement, message, cause } = summarizeError(error);
  const names = [code, statement, table, constraint].filter(Boolean).join(", ");
  const line = message ?? `${type}${names ? ` (${names})` : ""}`;
  return cause && message === undefined ? `${line}: ${errorLine((error as Error).cause)}` : line;
}
