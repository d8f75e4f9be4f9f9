"use client";

import { PanelLeft } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { t } from "@/components/texts/t";
import { buttonLook } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { MainNavigation } from "./main-navigation";
import type { PortalView } from "./portal-view";
import { collapseSidebar, sidebarState } from "./sidebar-state";

interface SidebarProps {
  view: PortalView;
  /** Of the menu's entries, by their key. */
  icons: Record<string, ReactNode>;
}

/** The menu next to the page, on screens that have room for it. `[` or its button leaves only the icons. */
export function Sidebar({ view, icons }: SidebarProps) {
  const chosen = useSyncExternalStore(
    sidebarState.subscribe,
    sidebarState.isCollapsed,
    () => undefined,
  );
  const isCollapsed = chosen ?? view.isSidebarCollapsed;
  return (
    <div
      className={classNames(
        "sticky top-12 hidden h-[calc(100dvh-3rem)] shrink-0 flex-col border-e border-border bg-surface min-[900px]:flex print:hidden!",
        isCollapsed ? "w-[3.25rem]" : "w-52",
      )}
    >
      <div className="min-h-0 flex-1 overflow-y-auto px-2 py-3">
        <MainNavigation entries={view.navigation} icons={icons} isCollapsed={isCollapsed} />
      </div>
      <div className="border-t border-border p-2">
        <button
          type="button"
          aria-expanded={!isCollapsed}
          aria-keyshortcuts="["
          title={isCollapsed ? t("Show menu labels") : undefined}
          onClick={() => collapseSidebar(!isCollapsed)}
          className={classNames(buttonLook("quiet", "small"), "w-full justify-start! gap-2.5!")}
        >
          <PanelLeft aria-hidden="true" className="size-4 shrink-0 rtl:-scale-x-100" />
          <span className={isCollapsed ? "sr-only" : undefined}>
            {isCollapsed ? t("Show menu labels") : t("Collapse menu")}
          </span>
        </button>
      </div>
    </div>
  );
}
