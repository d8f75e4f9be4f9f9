"use client";

import { useRouter } from "next/navigation";
import { Suspense, useEffect, useRef, useSyncExternalStore } from "react";
import { lazyPart } from "@/components/ui/lazy-part";
import { isForPage } from "@/components/ui/page-keys";
import { openOverlay, overlay } from "./overlay";
import { usePortal } from "./portal";
import { collapseSidebar, sidebarState } from "./sidebar-state";
import { useSite, withSite } from "./site";

const Palette = lazyPart(() => import("./palette/palette").then((module) => module.Palette));
const ShortcutList = lazyPart(() =>
  import("./shortcut-list").then((module) => module.ShortcutList),
);
const NavigationSheet = lazyPart(() =>
  import("./navigation-sheet").then((module) => module.NavigationSheet),
);
const NewSandboxDialog = lazyPart(() =>
  import("./new-sandbox-dialog").then((module) => module.NewSandboxDialog),
);

/** Ctrl K, ?, and g with a letter, on every page. */
export function Shortcuts() {
  const { view } = usePortal();
  const router = useRouter();
  const site = useSite();
  const afterG = useRef(Number.NEGATIVE_INFINITY);
  const open = useSyncExternalStore(overlay.subscribe, overlay.current, () => undefined);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        if (!document.querySelector("[role=dialog]")) openOverlay("palette");
        return;
      }
      if (!isForPage(event)) return;
      if (event.key === "?") openOverlay("shortcuts");
      if (event.key === "[")
        collapseSidebar(!(sidebarState.isCollapsed() ?? view.isSidebarCollapsed));
      // When they were pressed counts, not when a busy page comes to hear of it.
      const entry =
        event.timeStamp - afterG.current < 1200
          ? view.navigation.find(({ letter }) => letter === event.key)
          : undefined;
      afterG.current = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (!entry) return;
      event.preventDefault();
      router.push(withSite(entry.href, site));
    };
    // Before the pages, whose own keys listen on the window: a key that led to a page must not reach them.
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [router, view, site]);
  return (
    <Suspense>
      {open === "palette" ? <Palette /> : null}
      {open === "shortcuts" ? <ShortcutList /> : null}
      {open === "new-sandbox" ? <NewSandboxDialog /> : null}
      {open === "menu" ? <NavigationSheet /> : null}
    </Suspense>
  );
}
