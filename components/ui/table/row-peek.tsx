"use client";

import { useSearchParams } from "next/navigation";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { notedIds } from "@/components/ui/noted";
import { useNoted } from "@/components/ui/use-noted";
import { useRowKeys } from "./row-keys";

interface RowPeekProps<Item> {
  items: readonly Item[];
  /** What the row's link carries as data-row. */
  idOf: (item: Item) => string;
  /** The panel for a row: a lazy part with a PeekPanel. */
  peek: (item: Item, onClose: () => void) => ReactNode;
  /** The table. */
  children: ReactNode;
}

/** The id that is peeked at: at first the one that the address names, and after going back or forward the one of that entry. */
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

/** A table whose rows are walked by keys, with a panel that shows the main facts of one while the list stays. */
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
