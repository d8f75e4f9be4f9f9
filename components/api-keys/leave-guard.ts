"use client";

import { useEffect } from "react";

/**
 * Keeps the page while something would be lost: reload and closing ask the browser's own question,
 * going back calls `onBack` and stays.
 */
export function useLeaveGuard(active: boolean, onBack: () => void): void {
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const stay = () => {
      window.history.pushState(null, "", window.location.href);
      onBack();
    };
    window.history.pushState(null, "", window.location.href);
    window.addEventListener("beforeunload", ask);
    window.addEventListener("popstate", stay);
    return () => {
      window.removeEventListener("beforeunload", ask);
      window.removeEventListener("popstate", stay);
    };
  }, [active, onBack]);
}
