import { keepInCookie } from "@/components/ui/kept-cookie";

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
