"use client";

import { type ComponentProps, Suspense } from "react";
import type { ChartProps } from "@/components/ui/chart/chart";
import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";
import type { MetricsTable } from "./metrics-table";

const Table = lazyPart<ComponentProps<typeof MetricsTable>>(
  () => import("./metrics-table").then((module) => module.MetricsTable),
  { kind: "panel" },
);

/** The numbers of a chart as a table; its code loads when the page is idle or a table is first shown. */
export const LazyTable = (props: ComponentProps<typeof MetricsTable>) => (
  <Suspense fallback={<Skeleton className="m-3 h-96" />}>
    <Table {...props} />
  </Suspense>
);

const Chart = lazyPart(() => import("@/components/ui/chart/chart").then((module) => module.Chart), {
  kind: "panel",
});

/** The chart's code loads after the page; its placeholder has the same height. */
export function LazyChart(props: ChartProps) {
  return (
    <div className="px-2" style={{ height: props.height }}>
      <Suspense fallback={<Skeleton className="mx-2 h-full" />}>
        <Chart {...props} />
      </Suspense>
    </div>
  );
}
