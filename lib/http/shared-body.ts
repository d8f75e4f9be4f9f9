import type { z } from "zod";
import { perProcess } from "@/lib/protocol/per-process";
import { representationTag } from "./representation-tag";

interface Written {
  parsed: unknown;
  text: string;
  /** Its strong entity tag, once somebody needed it. */
  tag: string | undefined;
}

/** Values that several requests answer with, and what each schema makes of them. They go with the last of those requests. */
const shared = perProcess("shared-bodies", () => new WeakMap<object, Map<z.ZodType, Written>>());

/**
 * Says that several requests may answer with this very value, which nobody changes any more: it is parsed by the contract and written
 * as JSON once. Nothing is kept: who asks later gets another value.
 */
export function shareBody<Value extends object>(value: Value): Value {
  shared().set(value, new Map());
  return value;
}

/** The value as the contract sends it. */
export function writeBody(schema: z.ZodType, value: unknown): Written {
  const known = typeof value === "object" && value !== null ? shared().get(value) : undefined;
  const found = known?.get(schema);
  if (found) return found;
  const parsed = schema.parse(value);
  const written = { parsed, text: JSON.stringify(parsed), tag: undefined };
  known?.set(schema, written);
  return written;
}

/** The strong entity tag of what was written by the schema. */
export function tagOf(schema: z.ZodType, written: Written): string {
  written.tag ??= representationTag(schema, written.parsed, written.text);
  return written.tag;
}
