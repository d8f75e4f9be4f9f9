"use client";

import { createContext, use, useSyncExternalStore } from "react";
import { keptColumns } from "./columns-cookie";
import { type ColumnWidths, readWidths, writeWidths } from "./widths";

/** The server's value of the columns cookie. */
export const KeptColumns = createContext("");

/** This browser's column settings of a table, also in the first paint. */
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

/** The widths of a table whose columns cannot be hidden or moved: identified by index while their number is unchanged. */
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
 * because a later version of the table added it, follows the one that it follows by default; unknown columns are ignored.
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

/** The column settings in a table's address; "" means the browser's. */
export interface ColumnsAddress {
  /** The columns that are not shown, or "none". */
  hide: string;
  /** The order of all columns, or "default". */
  columns: string;
  /** The resized columns with their pixels, or "default". */
  widths: string;
}

/** The shown columns of a table, their order and widths: from the address, otherwise as this browser stored them last. */
export function useColumns(
  { table, ids }: { table: string; ids: readonly string[] },
  asked: ColumnsAddress,
  onAsk: (address: ColumnsAddress) => void,
) {
  const { read, keep } = useKeptColumns(table);
  // The unparsed text: a saved view is recognized by it even after a column was added.
  const address = {
    hide: asked.hide || read("hide") || "none",
    columns: asked.columns || read("columns") || "default",
    widths: asked.widths || read("widths") || "default",
  };
  const hidden = address.hide.split(",");
  const order = inOrder(ids, address.columns.split(","));
  /** Writes all settings to the address, so that a link opens the same columns for every user. */
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
    /** The ids of the shown columns, in their order. */
    shown,
    widths,
    change,
  };
}

export type ChosenColumns = ReturnType<typeof useColumns>;
