import type { QueryConfig } from "pg";
import { log } from "@/lib/protocol/log";
import { perProcess } from "@/lib/protocol/per-process";
import { setting } from "@/lib/protocol/settings";
import { cut } from "@/lib/protocol/text";
import { addSpan, currentTrace, type Trace } from "@/lib/protocol/tracing";

/** Less is never slow: the setting is only looked at beyond it. */
const minMs = 50;
const maxTextLength = 500;

const state = perProcess("slow-statements", () => ({ count: 0 }));

/** A statement without the values that were written into it; parameters ($1) have none. */
export function withoutValues(text: string): string {
  const bare = text
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "?")
    .replaceAll(/\be'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'/gi, "?")
    .replaceAll(/(?<![$\w])\d+(?:\.\d+)?\b/g, "?")
    .replaceAll(/\s+/g, " ")
    .trim();
  return cut(bare, maxTextLength, "");
}

type Statement = string | Pick<QueryConfig, "name" | "text">;

function trace(found: Trace, query: Statement, startMs: number): void {
  const { name = "statement", text } = typeof query === "string" ? { text: query } : query;
  const attributes = { "db.system.name": "postgresql", "db.query.text": withoutValues(text) };
  addSpan(found, { name, startMs, kind: "client", attributes });
}

/** Logs a statement that took longer than SLOW_STATEMENT_MS, waiting included, and adds it to its request's trace: by its text without values. */
export function noteStatement(query: Statement, startMs: number, of = currentTrace()): void {
  if (of) trace(of, query, startMs);
  const ms = performance.now() - startMs;
  if (ms < minMs) return;
  const threshold = setting("SLOW_STATEMENT_MS");
  if (threshold === 0 || ms < threshold) return;
  state().count += 1;
  const { name, text } = typeof query === "string" ? { name: undefined, text: query } : query;
  log().warn({ ms: Math.round(ms), name, statement: withoutValues(text) }, "slow statement");
}

export const slowStatements = (): number => state().count;
