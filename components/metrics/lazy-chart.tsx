"use client";

import { Suspense } from "react";
import type { ChartProps } from "@/components/ui/chart/chart";
import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";

const Chart = lazyPart(() => import("@/components/ui/chart/chart").then((module) => module.Chart), {
  kind: "panel",
});

/** The chart's code arrives after the page; its place has the same height from the start. */
export function LazyChart(props: ChartProps) {
  return (
    <div className="px-2" style={{ height: props.height }}>
      <Suspense fallback={<Skeleton className="mx-2 h-full" />}>
        <Chart {...props} />
      </Suspense>
    </div>
  );
}
