"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { MarkerSign } from "@/components/ui/chart/signs";
import { lazyPart } from "@/components/ui/lazy-part";
import type { Marker } from "./load";
import { timeWords, titleOf } from "./markers";
import { useMayMark } from "./metrics-query";
import type { Range } from "./range";

const RemoveMarker = lazyPart(
  () => import("./remove-marker").then((module) => module.RemoveMarker),
  {
    isRare: true,
  },
);

interface PointMarkersProps {
  /** The time of the point. */
  point: Range;
  markers: readonly Marker[];
  moment: (at: number) => string;
}

const touches = ({ at, until }: Marker, { from, to }: Range) =>
  Date.parse(at) < to && (Date.parse(at) >= from || (until !== null && Date.parse(until) > from));

/** The markers of a point with time and author; reported ones can be removed. */
export function PointMarkers({ point, markers, moment }: PointMarkersProps) {
  const { view } = usePortal();
  const queries = useQueryClient();
  const mayMark = useMayMark();
  const [removed, setRemoved] = useState<Marker>();
  const shown = markers.filter((marker) => touches(marker, point));
  const isOwn = ({ author }: Marker) => author?.id === view.user.id;
  const reload = () => queries.invalidateQueries({ queryKey: [view.tenant, "metrics"] });
  return (
    <>
      {shown.length > 0 ? (
        <ul
          aria-label={t("Markers of this point")}
          className="border-b border-border px-4 py-2 text-body"
        >
          {shown.map((marker) => (
            <li key={marker.id} className="flex items-start gap-2">
              <MarkerSign className="mt-3" />
              <Said marker={marker} moment={moment} isOwn={isOwn(marker)} />
              {marker.source === "reported" && (mayMark || isOwn(marker)) ? (
                <Button
                  size="small"
                  tone="quiet"
                  aria-label={t("Remove {title}", { title: marker.title })}
                  onClick={() => setRemoved(marker)}
                >
                  {t("Remove")}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      <Suspense>
        {removed ? (
          <RemoveMarker marker={removed} onRemoved={reload} onClose={() => setRemoved(undefined)} />
        ) : null}
      </Suspense>
    </>
  );
}

interface SaidProps extends Pick<PointMarkersProps, "moment"> {
  marker: Marker;
  isOwn: boolean;
}

function Said({ marker, moment, isOwn }: SaidProps) {
  const { url, author } = marker;
  const title = titleOf(marker);
  return (
    <p className="min-w-0 flex-1 wrap-anywhere py-1">
      {url ? (
        <a href={url} target="_blank" rel="noreferrer" className="underline underline-offset-4">
          {title}
        </a>
      ) : (
        title
      )}{" "}
      <span className="text-meta text-muted">
        {timeWords(marker, moment)}
        {author
          ? `, ${isOwn ? t("by you") : t("by {name}", { name: author.login ?? author.id })}`
          : ""}
      </span>
    </p>
  );
}
