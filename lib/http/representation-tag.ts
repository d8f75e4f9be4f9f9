import { z } from "zod";
import { etagOf } from "@/lib/protocol/conditional";

function untaggedFields(schema: z.ZodType): readonly string[] {
  return Object.entries(schema instanceof z.ZodObject ? schema.shape : {})
    .filter(([, field]) => z.globalRegistry.get(field as z.ZodType)?.["x-untagged"])
    .map(([name]) => name);
}

/** The strong entity tag of a JSON representation that was parsed by its schema: `body` is the parsed value as text. */
export function representationTag(schema: z.ZodType, value: unknown, body: string): string {
  const names = untaggedFields(schema);
  if (names.length === 0) return etagOf(body);
  const covered = Object.entries(value as object).filter(([name]) => !names.includes(name));
  return etagOf(JSON.stringify(Object.fromEntries(covered)));
}
