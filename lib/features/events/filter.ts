import { eventTypes, typePrefix } from "./catalogue";
import type { Choice } from "./rows";
import { customerTypes, type EventKind } from "./values";

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

/** The kinds of subjects that belong to a site. */
const kindsOfSites: readonly EventKind[] = ["site", "alert", "preview", "release"];

/** What of both sources of the feed is wanted; undefined where all is. Several patterns want what any of them does. */
export function choiceOf(
  types: string | readonly string[] | undefined,
  site: string | undefined,
): Choice | undefined {
  const patterns = [types ?? "*"].flat();
  const isEvery = patterns.some((pattern) => withoutPrefix(pattern) === "*");
  if (site === undefined && isEvery) return undefined;
  const isWanted = (name: string) => patterns.some((pattern) => matchesType(pattern, name));
  const entries = eventTypes.filter(
    ({ type: name, target }) =>
      isWanted(name) && (site === undefined || kindsOfSites.includes(target)),
  );
  const doings = Object.entries(customerTypes).filter(([, name]) => isWanted(name));
  return {
    entries: entries.map(({ type: name }) => name),
    doings: doings.map(([action]) => action),
    site,
  };
}

export interface EventFilter {
  types: readonly string[];
  site?: string | undefined;
}

/** Whether an event is of one of the types, and of the site where one is named. */
export const matchesFilter = (
  { types, site }: EventFilter,
  event: { type: string; site?: string | undefined },
): boolean =>
  (site === undefined || event.site === site) &&
  types.some((pattern) => matchesType(pattern, event.type));
