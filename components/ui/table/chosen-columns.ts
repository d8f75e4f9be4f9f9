"use client";

import { useKept } from "@/components/ui/kept";
import { inOrder } from "./column-order";

/** What the address of a table says of its columns; "" leaves that to the browser. */
export interface ColumnsAddress {
  /** The columns that are not shown, or "none". */
  hide: string;
  /** The order of all columns, or "default". */
  columns: string;
}

/** Which columns of a table are shown, and in which order: as the address says, and where it says nothing as this browser had them last. */
export function useColumns(
  { table, ids }: { table: string; ids: readonly string[] },
  asked: ColumnsAddress,
  onAsk: (address: ColumnsAddress) => void,
) {
  const [keptHide, keepHide] = useKept(`${table}.hidden`, "");
  const [keptOrder, keepOrder] = useKept(`${table}.columns`, "");
  // As it was written, not as it is understood: a saved view is recognized by its text after a column was added, too.
  const address = {
    hide: asked.hide || keptHide || "none",
    columns: asked.columns || keptOrder || "default",
  };
  const hidden = address.hide.split(",");
  const order = inOrder(ids, address.columns.split(","));
  return {
    ids,
    order,
    address,
    /** The ids of what is shown, in their order. */
    shown: order.filter((id) => !hidden.includes(id)),
    /** The address gets both, so that a link opens the same columns for somebody who chose others. */
    change: (next: ColumnsAddress) => {
      keepHide(next.hide);
      keepOrder(next.columns);
      onAsk(next);
    },
  };
}

export type ChosenColumns = ReturnType<typeof useColumns>;
