"use client";

import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Table } from "./table";

interface DataTableProps {
  label: string;
  className?: string;
  children: ReactNode;
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
    return () => sizes.disconnect();
  }, [region]);
}

/** A table of records: its header sticks, and on a phone each row is a card of two lines (`card` of its cells). */
export function DataTable({ label, className, children }: DataTableProps) {
  const region = useRef<HTMLElement>(null);
  useFit(region);
  return (
    <Table label={label} className={className} region={region} cards>
      {children}
    </Table>
  );
}
