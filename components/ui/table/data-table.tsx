"use client";

import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Table } from "./table";

interface DataTableProps {
  label: string;
  className?: string;
  children: ReactNode;
}

/** Gives each cell the name of its column, which stands before the value where rows are cards. */
function labelCells(table: HTMLTableElement): void {
  const names = [...(table.tHead?.rows[0]?.cells ?? [])].map((cell) => cell.textContent?.trim());
  for (const row of table.tBodies[0]?.rows ?? [])
    for (const [index, cell] of [...row.cells].entries()) {
      const name = names[index] ?? "";
      if (cell.dataset.label !== name) cell.dataset.label = name;
    }
}

/** Marks the region whose table has room: only then its header can stick to the top of the page. */
function useFit(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const frame = region.current;
    const table = frame?.querySelector("table");
    if (!frame || !table) return;
    const fit = () => frame.toggleAttribute("data-fits", table.offsetWidth <= frame.clientWidth);
    const sizes = new ResizeObserver(fit);
    sizes.observe(frame);
    sizes.observe(table);
    const rows = new MutationObserver(() => labelCells(table));
    rows.observe(table, { childList: true, subtree: true });
    labelCells(table);
    return () => {
      sizes.disconnect();
      rows.disconnect();
    };
  }, [region]);
}

/** A table of records: its header sticks, and on a phone each row is a card. */
export function DataTable({ label, className, children }: DataTableProps) {
  const region = useRef<HTMLElement>(null);
  useFit(region);
  return (
    <Table label={label} className={className} region={{ ref: region, "data-cards": "" }}>
      {children}
    </Table>
  );
}
