"use client";

import { type ReactNode, useState, useTransition } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";

/** Limits a page to about three screens until the user expands it. */
const few = 40;

interface FewProps<Item> {
  items: readonly Item[];
  /** The number shown at first. */
  first?: number;
  children: (shown: Item[]) => ReactNode;
}

/** The first of many loaded items, with a button that shows all. */
export function Few<Item>({ items, first = few, children }: FewProps<Item>) {
  const [isWhole, setWhole] = useState(false);
  // Hundreds of rows render slowly: the pressed button updates first.
  const [isDrawing, startDrawing] = useTransition();
  const shown = isWhole ? [...items] : items.slice(0, first);
  return (
    <>
      {children(shown)}
      {items.length > shown.length ? (
        <p className="border-t border-border px-3 py-2 print:hidden">
          <Button tone="quiet" busy={isDrawing} onClick={() => startDrawing(() => setWhole(true))}>
            {t("Show all {count}", { count: items.length })}
          </Button>
        </p>
      ) : null}
    </>
  );
}
