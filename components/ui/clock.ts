/**
 * The time by the server's clock. A browser's own may be hours wrong: words such as "4 minutes ago", and an end that is chosen as "in 30
 * days", would be wrong with it.
 */
let aheadMs: number | undefined;

/** How far the clock of the server is ahead of this browser's. */
export const serverAheadMs = (): number => aheadMs ?? 0;

/** Now, by the server's clock. */
export const serverNow = (): number => Date.now() + serverAheadMs();

/** Takes what time the server had at this moment, as a response says. */
export function noteServerTime(time: number): void {
  aheadMs = time - Date.now();
}

/** Takes the time at which the first page was rendered: one that the router has kept says what was. */
export function noteFirstTime(time: number): void {
  if (typeof window !== "undefined" && aheadMs === undefined) noteServerTime(time);
}
