"use client";

import { useEffect, useState } from "react";
import type { Wishes } from "./access-changes";

/** Unsaved changes of one user's roles: they survive a reload of this tab, and nothing else. */
export function useAccessDraft(tenant: string, userId: string) {
  const name = `gatehouse.access.${tenant}.${userId}`;
  const [wishes, setWishes] = useState<Wishes>({});
  useEffect(() => {
    try {
      setWishes(JSON.parse(sessionStorage.getItem(name) ?? "{}") as Wishes);
    } catch {
      // A browser that keeps nothing, or something else under this name: there is no draft.
    }
  }, [name]);
  const keep = (next: Wishes) => {
    setWishes(next);
    try {
      if (Object.keys(next).length > 0) sessionStorage.setItem(name, JSON.stringify(next));
      else sessionStorage.removeItem(name);
    } catch {
      // The draft then lives as long as the page.
    }
  };
  return [wishes, keep] as const;
}
