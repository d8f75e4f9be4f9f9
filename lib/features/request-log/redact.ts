const longest = 256;

/** Sessions, keys, link tokens and JWTs, wherever somebody put one by mistake. */
const secrets = /\b(sv[a-z]_)[A-Za-z0-9]{8,}|\beyJ[\w-]+(?:\.[\w-]+)*|\b[A-Za-z0-9_-]{40,}\b/g;

/** The text without what looks like a secret, and not longer than is worth keeping. */
export function redact(text: string): string {
  return text
    .replace(secrets, (_, prefix?: string) => `${prefix ?? ""}...`)
    .replaceAll("\0", "")
    .slice(0, longest);
}
