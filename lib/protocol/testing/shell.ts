import { execFileSync } from "node:child_process";

/** Texts in a link, a name or a search that try to inject a command into the reader's clipboard. */
export const hostileTexts: readonly string[] = [
  "GET /x'; echo pwned; '",
  "'; touch /tmp/pwned #",
  "'\\''; id; '\\''",
  '"; id; "',
  "$(id)",
  "`id`",
  `\${HOME}`,
  "$HOME",
  "$'\\x27; id'",
  "a & id",
  "a | id",
  "a; id",
  "a && id",
  "a || id",
  "> /tmp/pwned",
  "< /etc/passwd",
  "\nid\n",
  "'\nid\n'",
  "\r\nid\r\n",
  "\u0003id\n",
  "\u001b[201~\nid\n",
  "\u0015id\r",
  "\u0085id",
  "# comment",
  "~root",
  "*",
  "!!",
  "{a,b}",
  "[a-z]",
  "@/etc/passwd",
  "--config /tmp/x",
  "-o /tmp/x",
  "\\",
  "trailing \\",
  "\\'",
  "%27%3B id",
  "O'Hara & Söhne 😀",
  "='; id; x='",
];

/** The arguments that a shell passes to curl, without running it. Throws if the text is not a single command. */
export function argumentsIn(script: string, variables: Record<string, string> = {}): string[] {
  const options = { encoding: "utf8", env: { ...process.env, ...variables } } as const;
  const printed = execFileSync(
    "sh",
    [
      "-c",
      `calls=0; curl() { calls=$((calls + 1)); printf '%s\\0' "$@"; }\n${script}\nprintf %s "$calls"`,
    ],
    options,
  ).split("\0");
  if (printed.pop() !== "1") throw new Error(`Not one call of curl: ${script}`);
  return printed;
}
