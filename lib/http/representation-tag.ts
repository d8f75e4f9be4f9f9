import { z } from "zod";
import { etagOf } from "@/lib/protocol/conditional";
import { perProcess } from "@/lib/protocol/per-process";

const untagged = perProcess("untagged-fields", () => new WeakMap<z.ZodType, readonly string[]>());

/** The fields that a tag leaves out: found once for each of the contract's schemas. */
function untaggedFields(schema: z.ZodType): readonly string[] {
  const known = untagged().get(schema);
  if (known) return known;
  const names = Object.entries(schema instanceof z.ZodObject ? schema.shape : {})
    .filter(([, field]) => z.globalRegistry.get(field as z.ZodType)?.["x-untagged"])
    .map(([name]) => name);
  untagged().set(schema, names);
  return names;
}

/** The strong entity tag of a JSON representation that was parsed by its schema: `body` is the parsed value as text. */
export function representationTag(schema: z.ZodType, value: unknown, body: string): string {
  const names = untaggedFields(schema);
  if (names.length === 0) return etagOf(body);
  const covered = Object.entries(value as object).filter(([name]) => !names.includes(name));
  return etagOf(JSON.stringify(Object.fromEntries(covered)));
}
