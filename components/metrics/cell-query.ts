"use client";

import { queryOptions } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import type { Cursor } from "@/components/ui/chart/cursor";
import type { Figure } from "./figures";
import { countsQuery, type Top } from "./load";
import { siteOf, type TopQuery } from "./metrics-query";
import { type MetricsState, periodOfLength } from "./state";

/** The calls of one bucket, as one of the charts shows them. */
export interface Cell {
  /** Milliseconds since the epoch; `to` is exclusive. */
  from: number;
  to: number;
  chart: Figure["id"];
}

/** Whether the chart shows errors only. */
export const isOfErrors = ({ chart }: Cell): boolean =>
  chart === "errors" || chart === "error-rate";

export interface Behind {
  keys: Top;
  endpoints: Top;
}

const maxShown = "6";

/** The keys and endpoints with the most calls of the cell; only errors when its chart shows errors. */
export function useCellQuery(cell: Cell, state: MetricsState) {
  const { view, call } = usePortal();
  return queryOptions({
    queryKey: [view.tenant, "metrics-cell", cell, state],
    queryFn: async ({ signal }): Promise<Behind> => {
      const period = periodOfLength(cell.to - cell.from) ?? "1-minute";
      const { group: _, ...query } = countsQuery({ ...state, period }, cell);
      const statusClass = isOfErrors(cell) ? ["4xx", "5xx"] : state.statusClass;
      const top = (group: string[]) =>
        call("GET /v1/api-metrics/metrics/top", {
          site: siteOf(view.sites, view.permissions),
          signal,
          query: { ...query, statusClass, group, limit: maxShown } as TopQuery,
        });
      const [keys, endpoints] = await Promise.all([top(["apiKey"]), top(["endpoint", "status"])]);
      return { keys, endpoints };
    },
  });
}

/** The slider of a chart, which the arrow keys move along its points. */
const sliderOf = (id: Figure["id"]) =>
  document.getElementById(id)?.querySelector<HTMLElement>("input[type=range]");

/** The open point. Closing returns the focus to the element that had it before, or to the chart. */
export function useOpenCell(cursor: Cursor, times: number[]) {
  const [cell, setCell] = useState<Cell>();
  const opener = useRef<Element>(null);
  const open = (next: Cell) => {
    if (!cell) opener.current = document.activeElement;
    setCell(next);
  };
  const close = () => {
    setCell(undefined);
    const before = opener.current;
    // A click on the plot focuses a surrounding element: then the chart's slider gets the focus.
    const isControl = before instanceof HTMLElement && before.matches("a, button, input, select");
    const target = isControl && before.isConnected ? before : cell && sliderOf(cell.chart);
    target?.focus({ preventScroll: true });
    if (cell && target?.matches("input[type=range]"))
      cursor.set({ index: times.indexOf(cell.from), chart: cell.chart, isByKey: true });
  };
  return { cell, open, close };
}
