import { useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import type { Cursor } from "@/components/ui/chart-cursor";
import { MarkerSign } from "@/components/ui/marker-sign";
import type { Figure } from "./figures";
import { maxMarkers } from "./load";
import { authorOf, type PlacedMarker, timeWords } from "./markers";

interface MarkerListProps {
  markers: PlacedMarker[];
  clock: (at: number) => string;
  cursor: Cursor;
  chart: Figure["id"];
  onOpen: (index: number) => void;
}

const maxShort = 6;

/** What happened in the range, newest first: each a button that shows its place on the charts, and opens it. */
export function MarkerList({ markers, clock, cursor, chart, onOpen }: MarkerListProps) {
  const [isWhole, setWhole] = useState(false);
  if (markers.length === 0) return null;
  const newest = markers.toReversed();
  const shown = isWhole ? newest : newest.slice(0, maxShort);
  const count =
    markers.length === maxMarkers ? t("newest {maxMarkers}", { maxMarkers }) : markers.length;
  return (
    <section aria-label={t("Markers")} className="border-t border-border px-4 py-2">
      <h3 className="text-meta font-medium text-muted">{t("Markers ({count})", { count })}</h3>
      <ul className="-mx-2 flex flex-wrap">
        {shown.map((marker) => {
          const { id, title, index } = marker;
          const author = authorOf(marker);
          const look = () => cursor.set({ index, chart, isByKey: true });
          const away = () => cursor.set(undefined);
          return (
            <li key={id} className="max-w-full">
              <Button
                size="small"
                tone="quiet"
                className="max-w-full"
                onFocus={look}
                onBlur={away}
                onPointerEnter={look}
                onPointerLeave={away}
                onClick={() => onOpen(index)}
              >
                <MarkerSign />
                <span className="figures font-normal">{timeWords(marker, clock)}</span>
                <span className="min-w-0 truncate">{title}</span>
                {author ? <span className="font-normal text-muted">{author}</span> : null}
              </Button>
            </li>
          );
        })}
        {newest.length > maxShort ? (
          <li>
            <Button size="small" tone="quiet" onClick={() => setWhole(!isWhole)}>
              {isWhole ? t("Show fewer") : t("Show all {count}", { count: newest.length })}
            </Button>
          </li>
        ) : null}
      </ul>
    </section>
  );
}
