import { type ComponentProps, Suspense } from "react";
import { lazyPart } from "@/components/ui/lazy-part";
import { Skeleton } from "@/components/ui/skeleton";
import type { MetricsTable } from "./metrics-table";

const Table = lazyPart<ComponentProps<typeof MetricsTable>>(
  () => import("./metrics-table").then((module) => module.MetricsTable),
  { kind: "panel" },
);

/** The numbers of a chart as a table, whose code arrives when the page is idle, or with the first table. */
export const LazyTable = (props: ComponentProps<typeof MetricsTable>) => (
  <Suspense fallback={<Skeleton className="m-3 h-96" />}>
    <Table {...props} />
  </Suspense>
);
