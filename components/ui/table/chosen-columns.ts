"use client";

import { useKept } from "@/components/ui/kept";

/**
 * The columns of a table in a wanted order. The first one, which names the row, stays first. A column that the order does not name,
 * because a later version of the table added it, follows the one that it follows by default; what is not a column is ignored.
 *
 * @example inOrder(["name", "login", "roles", "status"], ["name", "status", "login"]) // ["name", "status", "login", "roles"]
 */
export function inOrder(columns: readonly string[], wanted: readonly string[]): string[] {
  const known = wanted.filter((id) => columns.includes(id));
  const order = [...new Set([...columns.slice(0, 1), ...known])];
  let before = "";
  for (const id of columns) {
    if (!order.includes(id)) order.splice(order.indexOf(before) + 1, 0, id);
    before = id;
  }
  return order;
}

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
