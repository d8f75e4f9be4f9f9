import { cut } from "@/lib/protocol/text";

const maxLength = 256;

/** Sessions, keys, link tokens and JWTs, wherever a caller put one by mistake. */
const secrets = /\b(sv[a-z]_)[A-Za-z0-9]{8,}|\beyJ[\w-]+(?:\.[\w-]+)*|\b[A-Za-z0-9_-]{40,}\b/g;

/** An e-mail address in a path, also where the @ is percent-encoded: people look customers and users up by it. */
const addresses = /[^/\s]+(?:@|%(?:25)*40)[^/\s]+/gi;

/** A path without the segments that look like an e-mail address, and without what looks like a secret. */
export const redactPath = (path: string): string => redact(path.replace(addresses, "..."));

/** Removes what looks like a secret, and cuts the text to 256 characters. */
export function redact(text: string): string {
  const safe = text
    .replace(secrets, (_, prefix?: string) => `${prefix ?? ""}...`)
    .replaceAll("\0", "");
  return cut(safe, maxLength, "");
}
