/**
 * The time by the server's clock. A browser's own may be hours wrong: words such as "4 minutes ago", and an end that is chosen as "in 30
 * days", would be wrong with it.
 */
let aheadMs: number | undefined;

/** The difference between the server's clock and this browser's. */
export const serverAheadMs = (): number => aheadMs ?? 0;

/** Now, by the server's clock. */
export const serverNow = (): number => Date.now() + serverAheadMs();

/** Records the server's current time from a response. */
export function noteServerTime(time: number): void {
  aheadMs = time - Date.now();
}

/** Records the time at which the first page was rendered; a page from the router's cache has an old one. */
export function noteFirstTime(time: number): void {
  if (typeof window !== "undefined" && aheadMs === undefined) noteServerTime(time);
}
