"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { Suspense, useEffect, useRef, useSyncExternalStore } from "react";
import { lazyPart } from "@/components/ui/lazy-part";
import {
  expectPage,
  isExpecting,
  isForPage,
  isTyping,
  pageArrived,
  stopExpecting,
  typeAhead,
} from "@/components/ui/typed-ahead";
import { collapseSidebar, sidebarState } from "./cookies";
import { openOverlay, overlay } from "./overlay";
import { usePortal } from "./portal";
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

/** Buffers letters for a page or dialog that is opening; a click or Escape cancels this. */
function useTypedAhead() {
  const path = usePathname();
  const asked = useSearchParams();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another page
  useEffect(pageArrived, [path, asked]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") stopExpecting();
      const isText = !(event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target));
      if (!isExpecting() || !isText) return;
      typeAhead(event);
      // Otherwise a space would scroll, and Enter would press the focused element.
      if (event.key !== "Tab") event.preventDefault();
    };
    document.addEventListener("keydown", onKey, { capture: true });
    document.addEventListener("pointerdown", stopExpecting);
    return () => {
      document.removeEventListener("keydown", onKey, { capture: true });
      document.removeEventListener("pointerdown", stopExpecting);
    };
  }, []);
}

/** Ctrl K, ?, and g with a letter, on every page. */
export function Shortcuts() {
  const { view } = usePortal();
  const router = useRouter();
  const site = useSite();
  useTypedAhead();
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
      // The time of the keystroke counts, not the time at which a busy page handles it.
      const entry =
        event.timeStamp - afterG.current < 1200
          ? view.navigation.find(({ letter }) => letter === event.key)
          : undefined;
      afterG.current = event.key === "g" ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (!entry) return;
      event.preventDefault();
      const href = withSite(entry.href, site);
      expectPage(href);
      router.push(href);
    };
    // On the document, before the page's listeners on the window: a key that opened a page must not reach them.
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
