"use client";

import { useEffect } from "react";

/**
 * Prevents leaving while data would be lost: reload and close show the browser's confirmation,
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
