/** The parameters that only say which rows are selected or open, in the order of the address. No server rendering or call uses them. */
const notedNames = ["selected", "peek"] as const;
export type NotedName = (typeof notedNames)[number];

/**
 * The maximum of ids in the address. The server accepts 16 KiB of headers, and Next sends the address up to three times with a request:
 * as its target, as the referrer and in the state of the router.
 */
export const maxNotedIds = 100;

/** Ids in the format of the address. Empty for too many: a part of the selection would look like all of it. */
export const notedIds = (ids: readonly string[]): string =>
  ids.length > maxNotedIds ? "" : ids.map(encodeURIComponent).join(",");

/** The ids that the address names. */
export const readNotedIds = (value: string | null): string[] =>
  (value ?? "").split(",", maxNotedIds).filter((id) => id !== "");

/**
 * The query of an address with these values; an empty one is left out. Everything else is unchanged. These
 * parameters are last and in a fixed order, so that two users with the same view have the same address.
 *
 * @example withNoted("?q=ada&peek=user_1", new Map([["peek", "user_2"]])) // "?q=ada&peek=user_2"
 */
export function withNoted(search: string, values: ReadonlyMap<string, string>): string {
  const parts = search.replace(/^\?/, "").split("&").filter(Boolean);
  const nameOf = (part: string) => part.split("=", 1)[0] ?? "";
  const decoded = (part: string | undefined) => new URLSearchParams(part).get(nameOf(part ?? ""));
  const written = (name: NotedName) => parts.find((part) => nameOf(part) === name);
  const wanted = (name: NotedName) => {
    const now = written(name);
    const value = values.get(name);
    if (value === undefined) return now;
    const part = value ? `${name}=${value}` : undefined;
    return decoded(now) === decoded(part) ? now : part;
  };
  if (notedNames.every((name) => wanted(name) === written(name))) return search;
  const others = parts.filter((part) => !notedNames.some((name) => name === nameOf(part)));
  const all = [...others, ...notedNames.map(wanted)].filter((part) => part !== undefined).join("&");
  return all && `?${all}`;
}
