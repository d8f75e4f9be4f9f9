"use client";

import { ChevronDown } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { type CardProps, CardTitle } from "./card";
import { classNames } from "./class-names";
import { PanelBoundary } from "./panel-boundary";

/**
 * Opens the card that the address names. Browsers do this when they load the page, but not on a
 * navigation within the portal.
 */
function useOpenedByAddress(card: RefObject<HTMLDetailsElement | null>, id: string): void {
  useEffect(() => {
    const look = () => {
      const folded = card.current;
      if (!folded || folded.open || location.hash !== `#${id}`) return;
      folded.open = true;
      folded.scrollIntoView();
    };
    look();
    window.addEventListener("hashchange", look);
    return () => window.removeEventListener("hashchange", look);
  }, [card, id]);
}

interface FoldedCardProps extends Omit<CardProps, "actions" | "id"> {
  id: string;
  /** Shown in the header even while the rest is folded. */
  note?: ReactNode;
}

/** A card of a long page that is initially folded to its header. */
export function FoldedCard({ id, title, description, note, flush, children }: FoldedCardProps) {
  const card = useRef<HTMLDetailsElement>(null);
  useOpenedByAddress(card, id);
  return (
    <section aria-labelledby={`${id}-title`} className="rounded-card border border-border bg-bg">
      <details ref={card} data-folds className="group">
        <summary className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card px-4 py-3 [&::-webkit-details-marker]:hidden">
          <CardTitle {...{ id, title, description }} />
          {note}
          <ChevronDown
            aria-hidden="true"
            className="size-4 shrink-0 text-muted group-open:rotate-180"
          />
        </summary>
        {/* The anchor is inside, because browsers unfold an element for an anchor that it contains. */}
        <div id={id} className={classNames("scroll-mt-32 border-t border-border", !flush && "p-4")}>
          <PanelBoundary>{children}</PanelBoundary>
        </div>
      </details>
    </section>
  );
}
