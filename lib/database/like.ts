/** The text for a LIKE pattern, where `\`, `%` and `_` stand for themselves. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");
