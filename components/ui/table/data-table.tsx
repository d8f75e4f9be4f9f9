"use client";

import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { usePlainWidths } from "./chosen-columns";
import { titleCutText } from "./cut-text";
import { HeadCell, Table } from "./table";
import { WidthHandle, WidthsContext } from "./width-handle";
import { type ColumnWidths, widthsOf } from "./widths";

interface TableOfRecordsProps {
  label: string;
  className?: string | undefined;
  children: ReactNode;
  /** Of a table whose columns have handles. */
  widths?: ColumnWidths;
  /** How many cells of a row stand before its first column, as the box that selects it. */
  cellsBefore?: number;
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

function useTitlesOfCutText(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const frame = region.current;
    frame?.addEventListener("pointermove", titleCutText, { passive: true });
    return () => frame?.removeEventListener("pointermove", titleCutText);
  }, [region]);
}

/** A table of records that draws its own head, with a `WidthHandle` in each cell of it: its header sticks, and on a phone each row is a card of two lines (`card` of its cells). */
export function TableOfRecords(props: TableOfRecordsProps) {
  const { label, className, children, widths, cellsBefore = 0 } = props;
  const region = useRef<HTMLElement>(null);
  useFit(region);
  useTitlesOfCutText(region);
  return (
    <WidthsContext value={widths}>
      <Table
        label={label}
        className={className}
        region={region}
        {...(widths && { widths: widthsOf(widths, cellsBefore) })}
        cards
      >
        {children}
      </Table>
    </WidthsContext>
  );
}

interface DataTableProps {
  label: string;
  className?: string;
  /** The name under which the browser keeps how wide its columns are. */
  name: string;
  /** What its columns are called. */
  heads: readonly string[];
  /** The head of a cell before the columns, such as the box that selects all rows. */
  first?: ReactNode;
  /** The last column has buttons, and no name that is seen. */
  hasActions?: boolean;
  children: ReactNode;
}

/** A table of records, whose columns can be made wider and narrower. */
export function DataTable(props: DataTableProps) {
  const { label, className, name, heads, first, hasActions = false, children } = props;
  const widths = usePlainWidths(name, heads.length);
  const last = hasActions ? undefined : heads.length - 1;
  return (
    <>
      <TableOfRecords
        label={label}
        className={className}
        widths={widths}
        cellsBefore={first ? 1 : 0}
      >
        <thead>
          <tr>
            {first}
            {heads.map((head, at) => (
              <HeadCell key={head}>
                {head}
                {at === last ? null : <WidthHandle id={widths.ids[at] ?? ""} name={head} />}
              </HeadCell>
            ))}
            {hasActions ? (
              <HeadCell>
                <span className="sr-only">{t("Actions")}</span>
              </HeadCell>
            ) : null}
          </tr>
        </thead>
        {children}
      </TableOfRecords>
      {Object.keys(widths.chosen).length > 0 ? (
        <p className="border-t border-border px-3 py-1 max-sm:hidden print:hidden">
          <Button tone="quiet" onClick={() => widths.change({})}>
            {t("Reset widths")}
          </Button>
        </p>
      ) : null}
    </>
  );
}
