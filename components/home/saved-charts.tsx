"use client";

import { Suspense, useRef } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Card } from "@/components/ui/card";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";

const ChartList = lazyPart(() => import("./chart-list").then((module) => module.ChartList), {
  kind: "panel",
});

/** The saved charts of the metrics page that are shown on Home. Its code arrives after the page. */
export function SavedCharts() {
  const { view } = usePortal();
  const link = useRef<HTMLAnchorElement>(null);
  const more = (
    <Link
      ref={link}
      href={`/t/${view.tenant}/metrics`}
      className="text-control text-accent hover:underline"
    >
      {t("Save a chart")}
    </Link>
  );
  return (
    <Card id="saved-charts" title={t("Saved charts")} actions={more}>
      <Suspense fallback={<Skeleton className="h-40" />}>
        <ChartList onRemoved={() => link.current?.focus()} />
      </Suspense>
    </Card>
  );
}
