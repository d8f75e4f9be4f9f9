"use client";

import { useSearchParams } from "next/navigation";
import { useRef, useState } from "react";
import { notedIds, readNotedIds } from "@/components/ui/noted";
import { useNoted } from "@/components/ui/use-noted";

export interface Selection<Item> {
  /** The selected items by id. */
  chosen: Map<string, Item>;
  has: (item: Item) => boolean;
  /** Selects or clears one; with `isRange` everything from the last one to this. */
  toggle: (item: Item, isRange: boolean) => void;
  /** Selects or clears all that are on screen. */
  toggleAll: () => void;
  clear: () => void;
}

/** The selection: initially the ids in the address, as soon as they are on screen. The address stores those on screen. */
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

/** The selection of rows; `shown` are the selectable ones on screen, in their order. */
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
