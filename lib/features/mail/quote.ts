const maxLength = 60;

/**
 * What somebody else chose (a login, the name of a key or a rule, a request id), for the text or subject of a mail: in quotes, in one
 * line and cut, so that it cannot pass for what Gatehouse says. Programs that read mail make links of everything that looks like an
 * address: its dots, colons and at signs are bracketed, also as wide as Chinese and Japanese have them.
 *
 * @example quote("Won: https://evil.example/a") // "Won: https[:]//evil[.]example/a"
 */
export function quote(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = [...line];
  const cut = characters.length > maxLength ? `${characters.slice(0, maxLength).join("")}…` : line;
  return `"${cut.replaceAll('"', "'").replace(/[.:@\u3002\uff0e\uff1a\uff20\uff61](?=\S)/g, "[$&]")}"`;
}
