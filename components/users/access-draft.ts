"use client";

import { useEffect, useState } from "react";
import { keepInTab, readInTab } from "@/components/ui/device-storage";
import type { Wishes } from "./access-changes";

/** Unsaved changes of one user's roles: they survive a reload of this tab, and nothing else. */
export function useAccessDraft(tenant: string, userId: string) {
  const name = `access.${tenant}.${userId}`;
  const [wishes, setWishes] = useState<Wishes>({});
  useEffect(() => setWishes((readInTab(name) ?? {}) as Wishes), [name]);
  const keep = (next: Wishes) => {
    setWishes(next);
    keepInTab(name, Object.keys(next).length > 0 ? JSON.stringify(next) : undefined);
  };
  return [wishes, keep] as const;
}
