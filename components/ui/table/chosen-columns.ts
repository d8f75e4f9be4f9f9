"use client";

import { createContext, use, useSyncExternalStore } from "react";
import { keptColumns } from "./columns-cookie";
import { type ColumnWidths, readWidths, writeWidths } from "./widths";

/** What the server has read of the cookie of columns. */
export const KeptColumns = createContext("");

/** What this browser keeps of a table's columns, in the first paint too. */
function useKeptColumns(table: string) {
  const first = use(KeptColumns);
  const text = useSyncExternalStore(keptColumns.subscribe, keptColumns.text, () => first);
  const kept = new URLSearchParams(text);
  return {
    read: (name: string) => kept.get(`${table}.${name}`) ?? "",
    keep: (choices: object) =>
      keptColumns.keep(
        Object.fromEntries(
          Object.entries(choices).map(([name, value]) => [`${table}.${name}`, value]),
        ),
      ),
  };
}

/** The widths of a table whose columns cannot be hidden or moved: they are known by their places, as long as there are as many. */
export function usePlainWidths(table: string, count: number): ColumnWidths {
  const { read, keep } = useKeptColumns(table);
  const ids = Array.from({ length: count }, (_, at) => `${count}-${at + 1}`);
  return {
    ids,
    chosen: readWidths(ids, read("widths")),
    change: (widths) => keep({ widths: writeWidths(widths) }),
  };
}

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
  /** The columns that somebody has made wider or narrower, with their pixels, or "default". */
  widths: string;
}

/** Which columns of a table are shown, in which order and how wide: as the address says, and where it says nothing as this browser had them last. */
export function useColumns(
  { table, ids }: { table: string; ids: readonly string[] },
  asked: ColumnsAddress,
  onAsk: (address: ColumnsAddress) => void,
) {
  const { read, keep } = useKeptColumns(table);
  // As it was written, not as it is understood: a saved view is recognized by its text after a column was added, too.
  const address = {
    hide: asked.hide || read("hide") || "none",
    columns: asked.columns || read("columns") || "default",
    widths: asked.widths || read("widths") || "default",
  };
  const hidden = address.hide.split(",");
  const order = inOrder(ids, address.columns.split(","));
  /** The address gets all of it, so that a link opens the same columns for somebody who chose others. */
  const change = (next: ColumnsAddress) => {
    keep(next);
    onAsk(next);
  };
  const shown = order.filter((id) => !hidden.includes(id));
  const widths: ColumnWidths = {
    ids: shown,
    chosen: readWidths(ids, address.widths),
    change: (chosen) => change({ ...address, widths: writeWidths(chosen) || "default" }),
  };
  return {
    ids,
    order,
    address,
    /** The ids of what is shown, in their order. */
    shown,
    widths,
    change,
  };
}

export type ChosenColumns = ReturnType<typeof useColumns>;
