import { keepInCookie } from "@/components/ui/kept-cookie";

/** The cookie that gives the server the browser's time zone: what it draws first then has the times that stay. */
export const zoneCookie = "gatehouse-zone";

/** The zone that the browser names, also where the server will not know it. */
const namedZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Keeps the browser's zone for the next page: set by the pages before signing in, and by every other one. */
export function noteZone(): void {
  const zone = encodeURIComponent(namedZone());
  if (!document.cookie.split("; ").includes(`${zoneCookie}=${zone}`))
    keepInCookie(zoneCookie, zone);
}

/** The zone by which somebody reads times. */
export interface ReadersZone {
  /** UTC as long as it is not known. */
  name: string;
  isKnown: boolean;
}
