"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { classNames } from "@/components/ui/class-names";
import type { NavigationEntry } from "./portal-view";
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

export function MainNavigation({ entries }: { entries: NavigationEntry[] }) {
  const site = useSite();
  const current = currentOf(entries, usePathname(), site);
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    if (current === undefined) return;
    const mark = bar.current?.querySelector<HTMLElement>("[aria-current]");
    if (!bar.current || !mark) return;
    // On a phone the later places are beyond the edge. Only the bar scrolls: scrollIntoView would
    // also move the place where the first Tab begins.
    const end = mark.offsetLeft + mark.offsetWidth;
    bar.current.scrollLeft = Math.max(0, end - bar.current.clientWidth);
  }, [current]);
  return (
    <nav
      ref={bar}
      aria-label="Main"
      className="mx-auto max-w-[1200px] overflow-x-auto px-2 [scrollbar-width:none] sm:px-4"
    >
      <ul className="flex h-10 items-stretch">
        {entries.map((entry) => (
          <li key={entry.key} className="flex">
            <Link
              href={withSite(entry.href, site)}
              aria-current={entry.key === current ? "page" : undefined}
              className={classNames(
                "relative flex items-center whitespace-nowrap px-2.5 text-body -outline-offset-4 transition-colors duration-[120ms]",
                entry.key === current
                  ? "font-medium text-text after:absolute after:inset-x-2.5 after:-bottom-px after:h-0.5 after:bg-text"
                  : "text-muted hover:text-text",
              )}
            >
              {entry.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
