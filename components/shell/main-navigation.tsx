"use client";

import { PanelLeft } from "lucide-react";
import { usePathname } from "next/navigation";
import { type ReactNode, useSyncExternalStore } from "react";
import { t } from "@/components/texts/t";
import { buttonLook } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { collapseSidebar, sidebarState } from "./cookies";
import { navigationGroups } from "./navigation";
import type { NavigationEntry, PortalView } from "./portal-view";
import { isSitePage, useSite, withSite } from "./site";

/** The entry that the address belongs to: the one with the longest matching path. */
function currentOf(
  entries: NavigationEntry[],
  path: string,
  site: string | undefined,
): string | undefined {
  const here = entries.map((entry) => ({
    ...entry,
    href: isSitePage(entry.href) ? withSite(entry.href, site) : entry.href,
  }));
  const matching = here.filter((entry) => path === entry.href || path.startsWith(`${entry.href}/`));
  return matching.sort((a, b) => b.href.length - a.href.length)[0]?.key;
}

interface MainNavigationProps {
  entries: NavigationEntry[];
  /** The icons by the key of the entry. */
  icons: Record<string, ReactNode>;
  /** Shows icons only; the labels stay for screen readers and as tooltips. */
  isCollapsed?: boolean;
  onOpen?: () => void;
}

/** The pages of the portal, in their groups. */
export function MainNavigation({
  entries,
  icons,
  isCollapsed = false,
  onOpen,
}: MainNavigationProps) {
  const site = useSite();
  const current = currentOf(entries, usePathname(), site);
  const groups = navigationGroups
    .map(({ key, label }) => ({
      key,
      label: t(label),
      entries: entries.filter(({ group }) => group === key),
    }))
    .filter((group) => group.entries.length > 0);
  return (
    <nav aria-label={t("Main")} className="flex flex-col gap-4">
      {groups.map((group) => (
        <div key={group.key}>
          <p
            aria-hidden="true"
            className={classNames(
              "h-6 px-2 text-meta font-medium text-muted",
              isCollapsed && "invisible",
            )}
          >
            {group.label}
          </p>
          <ul aria-label={group.label} className="flex flex-col gap-0.5">
            {group.entries.map((entry) => (
              <li key={entry.key}>
                <EntryLink
                  entry={entry}
                  icon={icons[entry.key]}
                  href={withSite(entry.href, site)}
                  isCurrent={entry.key === current}
                  isCollapsed={isCollapsed}
                  onOpen={onOpen}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface EntryLinkProps {
  entry: NavigationEntry;
  icon: ReactNode;
  href: string;
  isCurrent: boolean;
  isCollapsed: boolean;
  onOpen: (() => void) | undefined;
}

function EntryLink({ entry, icon, href, isCurrent, isCollapsed, onOpen }: EntryLinkProps) {
  return (
    <Link
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      title={isCollapsed ? entry.label : undefined}
      onClick={() => onOpen?.()}
      className={classNames(
        "flex h-8 items-center gap-2.5 rounded-control px-2 text-body -outline-offset-2 transition-colors duration-[120ms]",
        isCurrent
          ? "bg-subtle font-medium text-text"
          : "text-muted hover:bg-subtle hover:text-text",
      )}
    >
      {icon}
      <span className={isCollapsed ? "sr-only" : "truncate"}>{entry.label}</span>
    </Link>
  );
}

interface SidebarProps {
  view: PortalView;
  /** The icons of the menu's entries, by key. */
  icons: Record<string, ReactNode>;
}

/** The menu next to the page, on wide screens. `[` or its button leaves only the icons. */
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
