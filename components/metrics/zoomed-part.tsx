"use client";

import { Suspense } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { AddNote } from "./add-note";
import type { Range } from "./range";
import type { MetricsState } from "./state";

const Minimap = lazyPart(() => import("./minimap").then((module) => module.Minimap), {
  kind: "panel",
});

/** The height of the minimap and the gap above it. */
export const minimapHeight = 44;

interface ZoomedPartProps {
  state: MetricsState;
  /** The range around the zoom; undefined when the charts are not zoomed. */
  whole: Range | undefined;
  moment: (at: number) => string;
  onMove: (window: Range) => void;
}

/** The minimap under the chart of calls, below what is plotted. */
export function ZoomedPart({ whole, ...minimap }: ZoomedPartProps) {
  // Small multiples do not shrink: the place of the minimap is empty until they are zoomed.
  const { chart, view } = minimap.state;
  if (!whole && (chart !== "multiples" || view === "table")) return null;
  return (
    <div className="px-2 pt-3" style={{ height: minimapHeight }}>
      {whole ? (
        <Suspense>
          <Minimap whole={whole} {...minimap} />
        </Suspense>
      ) : null}
    </div>
  );
}

interface ZoomActionsProps {
  state: MetricsState;
  onReset: () => void;
}

/** Next to the title, without adding to its height. */
export function ZoomActions({ state, onReset }: ZoomActionsProps) {
  const shown = { from: Date.parse(state.from), until: Date.parse(state.to), zone: state.zone };
  return (
    <div className="relative self-stretch">
      <div className="absolute end-0 top-1/2 flex -translate-y-1/2 gap-1">
        <AddNote label={t("Add note")} isSample={state.sample} {...shown} />
        <Button size="small" tone="quiet" onClick={onReset}>
          {t("Reset zoom")}
        </Button>
      </div>
    </div>
  );
}
