/** The cookie that gives the server the browser's time zone: what it draws first then has the times that stay. */
export const zoneCookie = "gatehouse-zone";

const yearSeconds = 31_536_000;

/** The zone that the browser names, also where the server will not know it. */
const namedZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Keeps the browser's zone for the next page: set by the pages before signing in, and by every other one. */
export function noteZone(): void {
  const cookie = `${zoneCookie}=${encodeURIComponent(namedZone())}`;
  if (document.cookie.split("; ").includes(cookie)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and over plain HTTP
  document.cookie = `${cookie}; Path=/; Max-Age=${yearSeconds}; SameSite=Lax`;
}

/** The zone by which somebody reads times. */
export interface ReadersZone {
  /** UTC as long as it is not known. */
  name: string;
  isKnown: boolean;
}
