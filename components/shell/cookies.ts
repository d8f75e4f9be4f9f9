import { keepInCookie } from "@/components/ui/kept-cookie";

/** The cookie that gives the server the browser's time zone, so that its first render has the final times. */
export const zoneCookie = "gatehouse-zone";

/** The zone of the browser, even if the server does not know it. */
const namedZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Stores the browser's zone for the next page; every page does, also before sign-in. */
export function noteZone(): void {
  const zone = encodeURIComponent(namedZone());
  if (!document.cookie.split("; ").includes(`${zoneCookie}=${zone}`))
    keepInCookie(zoneCookie, zone);
}

/** The zone in which the user reads times. */
export interface ReadersZone {
  /** UTC while it is unknown. */
  name: string;
  isKnown: boolean;
}

/** The cookie that the server reads, so that the first paint has the right width. */
export const sidebarCookie = "gatehouse-sidebar";

const listeners = new Set<() => void>();
let isCollapsed: boolean | undefined;

/** Whether the sidebar shows only icons, as chosen on this page; undefined before a choice. */
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
