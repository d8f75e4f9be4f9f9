import { cut } from "@/lib/protocol/text";

const maxLength = 256;

/** Sessions, keys, link tokens and JWTs, wherever a caller put one by mistake. */
const secrets = /\b(sv[a-z]_)[A-Za-z0-9]{8,}|\beyJ[\w-]+(?:\.[\w-]+)*|\b[A-Za-z0-9_-]{40,}\b/g;

/** The at sign of an address, as wide as some keyboards have it, and percent-encoded once or more often. */
const atSign = /[@\uff20\ufe6b]|%(?:25)*(?:40|ef%(?:25)*bc%(?:25)*a0|ef%(?:25)*b9%(?:25)*ab)/i;

/**
 * Without the parts that look like an e-mail address: people look customers and users up by it. Each part is looked at once: one pattern
 * for the whole would try every end of an address from every beginning, and anybody may send a long path.
 */
const withoutAddresses = (text: string, separator: RegExp): string =>
  text
    .split(separator)
    .map((part) => (part.length > 1 && atSign.test(part) ? "..." : part))
    .join("");

/** A path without the segments that look like an e-mail address, and without what looks like a secret. */
export const redactPath = (path: string): string => redact(withoutAddresses(path, /(\/)/));

/** The same of what was wrong: names of members and parameters, which may be anything that somebody typed. */
export const redactReason = (reason: string): string =>
  redact(withoutAddresses(reason, /([/,?\s])/));

/** Removes what looks like a secret, and cuts the text to 256 characters. */
export function redact(text: string): string {
  const safe = text
    .replace(secrets, (_, prefix?: string) => `${prefix ?? ""}...`)
    .replaceAll("\0", "");
  return cut(safe, maxLength, "");
}
