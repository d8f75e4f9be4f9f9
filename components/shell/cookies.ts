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

/** The cookie that the server reads, so that the first paint has the right width. */
export const sidebarCookie = "gatehouse-sidebar";

const listeners = new Set<() => void>();
let isCollapsed: boolean | undefined;

/** Whether only the icons of the sidebar show, as chosen on this page; undefined before. */
export const sidebarState = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  isCollapsed: () => isCollapsed,
};

/** Shows the labels of the sidebar, or only its icons, now and on the next page load. */
export function collapseSidebar(collapsed: boolean): void {
  isCollapsed = collapsed;
  keepInCookie(sidebarCookie, collapsed ? "icons" : "open");
  for (const listener of listeners) listener();
}
