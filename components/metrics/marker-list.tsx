import { useRef, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import type { Cursor } from "@/components/ui/chart/cursor";
import { MarkerSign } from "@/components/ui/chart/signs";
import type { Figure } from "./figures";
import { maxMarkers } from "./load";
import { authorOf, type PlacedMarker, timeWords, titleOf } from "./markers";

interface MarkerListProps {
  markers: PlacedMarker[];
  clock: (at: number) => string;
  cursor: Cursor;
  chart: Figure["id"];
  onOpen: (index: number) => void;
}

const maxShort = 6;

const heading = ({ length }: PlacedMarker[]) =>
  t("Markers ({count})", {
    count: length === maxMarkers ? t("newest {maxMarkers}", { maxMarkers }) : length,
  });

/**
 * The markers of the range, newest first: each a button that shows its place on the charts and
 * opens it. When the pointer leaves a button, the focused one is shown again.
 */
export function MarkerList({ markers, clock, cursor, chart, onOpen }: MarkerListProps) {
  const [isWhole, setWhole] = useState(false);
  const focused = useRef<number>(undefined);
  if (markers.length === 0) return null;
  const newest = markers.toReversed();
  const shown = isWhole ? newest : newest.slice(0, maxShort);
  const lookAt = (index: number | undefined) =>
    cursor.set(index === undefined ? undefined : { index, chart, isByKey: true });
  const focus = (index: number | undefined) => {
    focused.current = index;
    lookAt(index);
  };
  return (
    <section aria-label={t("Markers")} className="border-t border-border px-4 py-2">
      <h3 className="text-meta font-medium text-muted">{heading(markers)}</h3>
      <ul data-prints="" className="-mx-2 flex flex-wrap">
        {shown.map((marker) => {
          const { id, index } = marker;
          const author = authorOf(marker);
          return (
            <li key={id} className="max-w-full">
              <Button
                size="small"
                tone="quiet"
                className="max-w-full"
                onFocus={() => focus(index)}
                onBlur={() => focus(undefined)}
                onPointerEnter={() => lookAt(index)}
                onPointerLeave={() => lookAt(focused.current)}
                onClick={() => onOpen(index)}
              >
                <MarkerSign />
                <span className="figures font-normal">{timeWords(marker, clock)}</span>
                <span className="min-w-0 truncate">{titleOf(marker)}</span>
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
