import { z } from "zod";

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** The schema of a merge patch (RFC 7396) for another schema: any field may be absent, or null to be removed; lists are replaced. */
export function mergePatchOf(
  schema: z.ZodType,
  readOnly: readonly string[] = [],
): z.ZodType<JsonObject> {
  return patchOf(schema, readOnly) as z.ZodType<JsonObject>;
}

function patchOf(schema: z.ZodType, readOnly: readonly string[] = []): z.ZodType {
  const plain = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  if (!(plain instanceof z.ZodObject)) return plain;
  const members = Object.entries(plain.shape as Record<string, z.ZodType>).map(([name, member]) => [
    name,
    patchOf(member).nullish(),
  ]);
  const rejected = readOnly.map((name) => [
    name,
    z
      .unknown()
      .refine((value) => value === undefined, { message: "is read-only" })
      .optional()
      // In the schema only to be rejected by name: the document does not list it.
      .meta({ "x-unlisted": true }),
  ]);
  return z.strictObject(Object.fromEntries([...members, ...rejected]));
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Applies a merge patch to a document; changes neither of them. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else if (value !== undefined) merged.set(name, applyMergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
