"use client";

import { useSearchParams } from "next/navigation";
import { useRef, useState } from "react";
import { notedIds, readNotedIds } from "@/components/ui/noted";
import { useNoted } from "@/components/ui/use-noted";
import type { User } from "@/lib/features/users/contract";

export interface Selection {
  users: Map<string, User>;
  /** Selects or clears one; with `isRange` everything from the last one to this. */
  toggle: (user: User, isRange: boolean) => void;
  /** Selects or clears all that are on screen. */
  toggleAll: () => void;
  clear: () => void;
}

/** The selected users: at first those that the address names, as soon as they are on screen. The address keeps those on screen. */
function useNotedUsers(shown: User[]) {
  const named = useSearchParams().get("selected");
  const [asked, setAsked] = useState(() => readNotedIds(named));
  const [users, setUsers] = useState<Map<string, User>>(new Map());
  if (asked.length > 0 && shown.length > 0) {
    setAsked([]);
    setUsers(new Map(shown.flatMap((user) => (asked.includes(user.id) ? [[user.id, user]] : []))));
  }
  useNoted("selected", notedIds(shown.flatMap(({ id }) => (users.has(id) ? [id] : []))));
  return [users, setUsers] as const;
}

/** Which users are selected; `shown` are those on screen, in their order. */
export function useSelection(shown: User[]): Selection {
  const [users, setUsers] = useNotedUsers(shown);
  const last = useRef<string>(undefined);
  const change = (these: User[], wanted: boolean) => {
    const next = new Map(users);
    for (const user of these) {
      if (wanted) next.set(user.id, user);
      else next.delete(user.id);
    }
    setUsers(next);
  };
  return {
    users,
    toggle: (user, isRange) => {
      const at = shown.findIndex((one) => one.id === user.id);
      const from = isRange ? shown.findIndex((one) => one.id === last.current) : -1;
      const these = from < 0 ? [user] : shown.slice(Math.min(from, at), Math.max(from, at) + 1);
      last.current = user.id;
      change(these, !users.has(user.id));
    },
    toggleAll: () => change(shown, !shown.every((user) => users.has(user.id))),
    clear: () => setUsers(new Map()),
  };
}
