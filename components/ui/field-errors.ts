import { CallError } from "@/lib/catalogue/client";

/** Codes whose reason names fields. */
const ofFields: ReadonlySet<string> = new Set([
  "request.validation-failed",
  "password.unsuitable",
  "tenant.id-taken",
  "site.id-taken",
  "site.name-taken",
]);

/** What is wrong with each field, by its pointer; the service words the first, the others are only named. */
export function fieldErrors(error: Error | undefined): Record<string, string> {
  if (!(error instanceof CallError) || !ofFields.has(error.code)) return {};
  const [first = "", ...others] = (error.reason ?? "").split(",");
  const words = error.message.replace(/ \(and \d+ more\)$/, "").replace(/^\/\S+ must/, "It must");
  return Object.fromEntries([
    [first, words],
    ...others.map((pointer) => [pointer, "This value cannot be used."] as const),
  ]);
}

/** Whether the error is told at its fields. */
export const isOfFields = (error: Error | undefined) => Object.keys(fieldErrors(error)).length > 0;
