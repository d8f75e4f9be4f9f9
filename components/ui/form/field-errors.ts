import { t, translated } from "@/components/texts/t";
import { CallError } from "@/lib/catalogue/client";

/** Codes that are about one field and need not say which. */
const fieldOfCode: Record<string, string> = {
  "api-key.name-taken": "/name",
  "password.unsuitable": "/password",
};

/** The fields that an error names, as JSON pointers into the request's body; none where it names no field. */
function pointersOf(error: CallError): string[] {
  const named = (error.reason ?? "").split(",").filter((pointer) => pointer.startsWith("/"));
  const implied = fieldOfCode[error.code];
  return named.length > 0 || implied === undefined ? named : [implied];
}

/**
 * What is wrong with each of a form's fields, by the field's pointer: an error at `/origins/0` belongs to `/origins`.
 * The service describes the first; the others are only named.
 */
export function fieldErrors(
  error: Error | null | undefined,
  fields: readonly string[],
): Record<string, string> {
  if (!(error instanceof CallError)) return {};
  const detail = translated(error.message)
    .replace(/ \(and \d+ more\)$/, "")
    .replace(/^\/\S+ must/, "It must");
  const entries = pointersOf(error).flatMap((pointer, index): [string, string][] => {
    const field = fields.find((one) => pointer === one || pointer.startsWith(`${one}/`));
    return field ? [[field, index === 0 ? detail : t("This value cannot be used.")]] : [];
  });
  // Of two errors at one field the first stays.
  return Object.fromEntries(entries.reverse());
}
