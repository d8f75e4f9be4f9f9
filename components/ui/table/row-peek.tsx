"use client";

import { useSearchParams } from "next/navigation";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { notedIds } from "@/components/ui/noted";
import { useNoted } from "@/components/ui/use-noted";
import { useRowKeys } from "./row-keys";

interface RowPeekProps<Item> {
  items: readonly Item[];
  /** The value of the row link's data-row attribute. */
  idOf: (item: Item) => string;
  /** The panel for a row: a lazy part with a PeekPanel. */
  peek: (item: Item, onClose: () => void) => ReactNode;
  /** The table. */
  children: ReactNode;
}

/** The id in the peek panel: initially from the address, and after back or forward from that history entry. */
function usePeeked() {
  const asked = useSearchParams().get("peek");
  const [id, setId] = useState(asked ?? undefined);
  useEffect(() => {
    const onEntry = () => setId(new URLSearchParams(location.search).get("peek") ?? undefined);
    window.addEventListener("popstate", onEntry);
    return () => window.removeEventListener("popstate", onEntry);
  }, []);
  return [id, setId] as const;
}

/** A table with keyboard navigation between rows, and a panel with the main facts of one next to the list. */
export function RowPeek<Item>({ items, idOf, peek, children }: RowPeekProps<Item>) {
  const frame = useRef<HTMLDivElement>(null);
  const [id, setId] = usePeeked();
  const item = id === undefined ? undefined : items.find((one) => idOf(one) === id);
  useRowKeys({ frame, peeked: item && id, onPeek: setId });
  useNoted("peek", notedIds(item && id ? [id] : []));
  const close = () => {
    frame.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id ?? "")}"]`)?.focus();
    setId(undefined);
  };
  return (
    <>
      <div ref={frame}>{children}</div>
      {item ? <Suspense>{peek(item, close)}</Suspense> : null}
    </>
  );
}
