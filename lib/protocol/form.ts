import { ApiError } from "./errors";

/** More than any operation with a form declares. */
const maxFields = 20;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const reject = (detail: string) => new ApiError("request.invalid-form", detail);

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw reject("The form is not correctly percent-encoded UTF-8.");
  }
}

/**
 * Reads a body of application/x-www-form-urlencoded. Stricter than URLSearchParams, which repairs invalid input: throws 400
 * for bytes and escapes that are not UTF-8, for a pair without "=", and for a repeated name.
 * @example parseForm(new TextEncoder().encode("token=a%20b")) // { token: "a b" }
 */
export function parseForm(bytes: Uint8Array): Record<string, string> {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw reject("The form is not UTF-8.");
  }
  const pairs = text === "" ? [] : text.split("&", maxFields + 1);
  if (pairs.length > maxFields) throw reject(`The form has more than ${maxFields} fields.`);
  const fields = new Map<string, string>();
  for (const pair of pairs) {
    const end = pair.indexOf("=");
    if (end < 1) throw reject("The form has a field without name or value.");
    const name = decode(pair.slice(0, end));
    if (fields.has(name)) throw reject("The form has a field twice.");
    fields.set(name, decode(pair.slice(end + 1)));
  }
  return Object.fromEntries(fields);
}
