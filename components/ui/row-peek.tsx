"use client";

import { type ReactNode, Suspense, useRef, useState } from "react";
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

/** A table whose rows are walked by keys, with a panel that shows the main facts of one while the list stays. */
export function RowPeek<Item>({ items, idOf, peek, children }: RowPeekProps<Item>) {
  const frame = useRef<HTMLDivElement>(null);
  const [id, setId] = useState<string>();
  const item = id === undefined ? undefined : items.find((one) => idOf(one) === id);
  useRowKeys({ frame, peeked: item && id, onPeek: setId });
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
