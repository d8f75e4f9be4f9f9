"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { t } from "@/components/texts/t";
import { Cell, HeadCell, Row, Table } from "@/components/ui/table/table";
import type { ChartSeries } from "./series";

interface MetricsTableProps {
  label: string;
  /** Milliseconds since the epoch. */
  times: number[];
  series: ChartSeries[];
  moment: (at: number) => string;
  format: (value: number) => string;
  isOpenEnded: boolean;
  /** The text for a missing value. */
  missing: string;
}

const heightPx = 480;
const rowPx = 29;

/** The rows in and near the scrolling frame, one for each bucket; two empty rows have the height of the others. */
function useRowsInView(count: number) {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    initialRect: { width: 0, height: heightPx },
    overscan: 8,
  });
  const items = rows.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = rows.getTotalSize() - (items.at(-1)?.end ?? 0);
  return { frame, items, before, after, measure: rows.measureElement };
}

const Held = ({ height }: { height: number }) => (height > 0 ? <tr style={{ height }} /> : null);

/** The same numbers as the chart, newest first. A range has up to 1,500 buckets: only the rows in view are drawn. */
export function MetricsTable(props: MetricsTableProps) {
  const { label, times, series, moment, format, isOpenEnded, missing } = props;
  const { frame, items, before, after, measure } = useRowsInView(times.length);
  const words = (value: number | null | undefined) =>
    value === null || value === undefined ? missing : format(value);
  const last = times.length - 1;
  return (
    <div ref={frame} className="overflow-y-auto" style={{ maxHeight: heightPx }}>
      <Table label={label} rows={times.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <HeadCell>{t("Time")}</HeadCell>
            {series.map((one) => (
              <HeadCell key={one.key} className="text-end">
                {one.label}
              </HeadCell>
            ))}
          </tr>
        </thead>
        <tbody>
          <Held height={before} />
          {items.map(({ index }) => (
            <Row key={index} ref={measure} data-index={index} aria-rowindex={index + 2}>
              <Cell>
                {moment(times[last - index] ?? 0)}
                {isOpenEnded && index === 0 ? t(" (in progress)") : ""}
              </Cell>
              {series.map((one) => (
                <Cell key={one.key} className="figures text-end">
                  {words(one.values[last - index])}
                </Cell>
              ))}
            </Row>
          ))}
          <Held height={after} />
        </tbody>
      </Table>
    </div>
  );
}
