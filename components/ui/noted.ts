/** What of a list only says what is looked at. No view of the server and no call depends on it. */
export type NotedName = "peek" | "selected";

/**
 * The most ids that the address holds. The server takes 16 KiB of headers, and Next sends the address up to three times with a request:
 * as its target, as the referrer and in the state of the router.
 */
export const maxNotedIds = 100;

/** Ids as the address holds them. Of too many none: a part of what was selected would pass for all of it. */
export const notedIds = (ids: readonly string[]): string =>
  ids.length > maxNotedIds ? "" : ids.map(encodeURIComponent).join(",");

/** The ids that the address names. */
export const readNotedIds = (value: string | null): string[] =>
  (value ?? "").split(",", maxNotedIds).filter((id) => id !== "");

/**
 * The query of an address with these values; an empty one is left out. Everything else stays as it is written.
 *
 * @example withNoted("?q=ada&peek=user_1", new Map([["peek", "user_2"]])) // "?q=ada&peek=user_2"
 */
export function withNoted(search: string, values: ReadonlyMap<string, string>): string {
  const now = new URLSearchParams(search);
  const wanted = (name: string, value: string) => new URLSearchParams(`${name}=${value}`).get(name);
  const changed = [...values].filter(
    ([name, value]) => (now.get(name) ?? "") !== wanted(name, value),
  );
  if (changed.length === 0) return search;
  const names = changed.map(([name]) => name);
  const others = search
    .replace(/^\?/, "")
    .split("&")
    .filter((part) => part !== "" && !names.includes(part.split("=", 1)[0] ?? ""));
  const noted = changed.flatMap(([name, value]) => (value ? [`${name}=${value}`] : []));
  const all = [...others, ...noted].join("&");
  return all && `?${all}`;
}
