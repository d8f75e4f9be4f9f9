const extended = "[a-z]{2,3}(?:-[a-z]{3}(?:-[a-z]{3}){0,2})?|[a-z]{4}|[a-z]{5,8}";
const variants = "(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*";
const extensions = "(?:-[0-9a-wy-z](?:-[a-z0-9]{2,8})+)*";
const privateUse = "x(?:-[a-z0-9]{1,8})+";
const grandfathered =
  "en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:be-fr|be-nl|ch-de)|art-lojban|cel-gaulish|no-(?:bok|nyn)|zh-(?:guoyu|hakka|min|min-nan|xiang)";
const tag = new RegExp(
  `^(?:(?:${extended})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?${variants}${extensions}(?:-${privateUse})?|${privateUse}|${grandfathered})$`,
  "i",
);

const hasDouble = (parts: string[]) => new Set(parts).size < parts.length;
/** Longer than any tag that means something: extensions have no bound. */
const maxLength = 256;

/** Whether the text is a language tag by BCP 47 (RFC 5646): the grammar, and no variant or extension twice. */
export function isLanguageTag(text: string): boolean {
  if (text.length > maxLength || !tag.test(text)) return false;
  const [beforePrivate = ""] = text.toLowerCase().split(/(?:^|-)x-/);
  const parts = beforePrivate.split("-").slice(1);
  const firstExtension = parts.findIndex((part) => part.length === 1);
  const head = firstExtension < 0 ? parts : parts.slice(0, firstExtension);
  const repeatable = head.filter((part) => part.length >= 5 || /^\d\w{3}$/.test(part));
  return !hasDouble(repeatable) && !hasDouble(parts.filter((part) => part.length === 1));
}
