import type { CSSProperties } from "react";

/** The pixels of columns by their ids. */
export type Widths = Readonly<Record<string, number>>;

/** The column widths of a table; a column without a width is as wide as its content. */
export interface ColumnWidths {
  /** The columns that are shown, in their order. */
  ids: readonly string[];
  chosen: Widths;
  change: (widths: Widths) => void;
}

export const narrowest = 56;
export const widest = 800;

export const inBounds = (pixels: number) =>
  Math.round(Math.min(widest, Math.max(narrowest, pixels)));

/** @example readWidths(["name", "login"], "name.220,other.90") // { name: 220 } */
export function readWidths(ids: readonly string[], text: string): Widths {
  const pairs = text.split(",").map((pair) => pair.split("."));
  return Object.fromEntries(
    pairs.flatMap(([id = "", pixels = ""]) =>
      ids.includes(id) && /^\d{1,4}$/.test(pixels) ? [[id, inBounds(Number(pixels))]] : [],
    ),
  );
}

export const writeWidths = (widths: Widths) =>
  Object.entries(widths)
    .map((pair) => pair.join("."))
    .join();

/** The attributes that app/widths.css needs: the cells with a width, and their widths. */
export function widthsOf({ ids, chosen }: ColumnWidths, cellsBefore: number) {
  const wide = ids.flatMap((id, at) => {
    const pixels = chosen[id];
    return pixels === undefined ? [] : [[at + 1 + cellsBefore, pixels] as const];
  });
  return {
    "data-wide": wide.length > 0 ? wide.map(([at]) => at).join(" ") : undefined,
    style: Object.fromEntries(wide.map(([at, px]) => [`--w${at}`, `${px}px`])) as CSSProperties,
  };
}
