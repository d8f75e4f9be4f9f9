import { eventTypes, typePrefix } from "./catalogue";

/** `user.locked`, `user.*` or `*`; the prefix of the types in events may stand before it. */
export const patternText = /^(?:gatehouse\.)?(?:\*|[a-z-]+\.(?:\*|[a-z-]+))$/;

const withoutPrefix = (text: string) =>
  text.startsWith(typePrefix) ? text.slice(typePrefix.length) : text;

/** Whether an event's type matches a pattern; either may have the prefix. */
export function matchesType(pattern: string, type: string): boolean {
  const [wanted, given] = [withoutPrefix(pattern), withoutPrefix(type)];
  return wanted.endsWith("*") ? given.startsWith(wanted.slice(0, -1)) : given === wanted;
}

/** Whether any type of the catalogue matches the pattern. */
export const isKnownPattern = (pattern: string): boolean =>
  eventTypes.some(({ type }) => matchesType(pattern, type));

interface Filter {
  types: readonly string[];
  site?: string | undefined;
}

/** Whether an event is of one of the types, and of the site where one is named. */
export const matchesFilter = (
  { types, site }: Filter,
  event: { type: string; site?: string | undefined },
): boolean =>
  (site === undefined || event.site === site) &&
  types.some((pattern) => matchesType(pattern, event.type));
