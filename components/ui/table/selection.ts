"use client";

import { useSearchParams } from "next/navigation";
import { useRef, useState } from "react";
import { notedIds, readNotedIds } from "@/components/ui/noted";
import { useNoted } from "@/components/ui/use-noted";

export interface Selection<Item> {
  /** The selected ones by their ids. */
  chosen: Map<string, Item>;
  has: (item: Item) => boolean;
  /** Selects or clears one; with `isRange` everything from the last one to this. */
  toggle: (item: Item, isRange: boolean) => void;
  /** Selects or clears all that are on screen. */
  toggleAll: () => void;
  clear: () => void;
}

/** What is selected: at first what the address names, as soon as it is on screen. The address keeps those on screen. */
function useNotedItems<Item>(shown: Item[], idOf: (item: Item) => string) {
  const named = useSearchParams().get("selected");
  const [asked, setAsked] = useState(() => readNotedIds(named));
  const [chosen, setChosen] = useState<Map<string, Item>>(new Map());
  if (asked.length > 0 && shown.length > 0) {
    setAsked([]);
    const found = shown.filter((item) => asked.includes(idOf(item)));
    setChosen(new Map(found.map((item) => [idOf(item), item])));
  }
  useNoted("selected", notedIds(shown.map(idOf).filter((id) => chosen.has(id))));
  return [chosen, setChosen] as const;
}

/** Which rows are selected; `shown` are those on screen that can be, in their order. */
export function useSelection<Item>(shown: Item[], idOf: (item: Item) => string): Selection<Item> {
  const [chosen, setChosen] = useNotedItems(shown, idOf);
  const last = useRef<string>(undefined);
  const change = (these: Item[], wanted: boolean) => {
    const next = new Map(chosen);
    for (const item of these) {
      if (wanted) next.set(idOf(item), item);
      else next.delete(idOf(item));
    }
    setChosen(next);
  };
  const has = (item: Item) => chosen.has(idOf(item));
  return {
    chosen,
    has,
    toggle: (item, isRange) => {
      const at = shown.findIndex((one) => idOf(one) === idOf(item));
      const from = isRange ? shown.findIndex((one) => idOf(one) === last.current) : -1;
      const these = from < 0 ? [item] : shown.slice(Math.min(from, at), Math.max(from, at) + 1);
      last.current = idOf(item);
      change(these, !has(item));
    },
    toggleAll: () => change(shown, !shown.every(has)),
    clear: () => setChosen(new Map()),
  };
}
