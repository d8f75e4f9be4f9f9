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
  /** The widths, for a table whose columns have handles. */
  widths?: ColumnWidths;
  /** The number of cells before a row's first column, such as the checkbox. */
  cellsBefore?: number;
}

/** Marks the region when it does not scroll: only then its table header can stick to the top of the page. */
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

/** A table of records whose header has a `WidthHandle` in each cell: it sticks, and on a phone each row is a card of two lines (`card`). */
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
  /** The name under which the browser stores the column widths. */
  name: string;
  /** The column headings. */
  heads: readonly string[];
  /** The header cell before the columns, such as the checkbox that selects all rows. */
  first?: ReactNode;
  /** The last column has buttons and no visible name. */
  hasActions?: boolean;
  children: ReactNode;
}

/** A table of records with resizable columns. */
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
