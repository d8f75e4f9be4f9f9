/**
 * The beginning of a text of any length, in at most `max` code units: never with half a surrogate pair, which neither UTF-8 nor
 * PostgreSQL can hold. What was cut ends with `suffix`.
 *
 * @example cut("x".repeat(9) + "😀", 10, "") // "xxxxxxxxx"
 */
export function cut(text: string, max: number, suffix = "…"): string {
  if (text.length <= max) return text.toWellFormed();
  const end = max - suffix.length;
  const isHalf = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return text.slice(0, isHalf ? end - 1 : end).toWellFormed() + suffix;
}
