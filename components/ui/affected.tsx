"use client";

import { type ReactNode, useId, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { ScrollRegion } from "@/components/ui/scroll-region";

/** How many are named before one asks for the others. */
const maxNamed = 10;

interface AffectedProps {
  /** What they are, as a title. */
  title: string;
  items: { id: string; name: string; detail: ReactNode }[];
}

/** Whom or what an action is for: an address can select rows, so their number does not say which. */
export function Affected({ title, items }: AffectedProps) {
  const [showsAll, setShowsAll] = useState(false);
  const headingId = useId();
  const others = items.length - maxNamed;
  return (
    <div>
      <p id={headingId} className="mb-1 text-body font-medium">
        {title}
      </p>
      <ScrollRegion
        aria-labelledby={headingId}
        className="max-h-56 overflow-y-auto rounded-control border border-border bg-surface px-3 py-2 text-body"
      >
        <ul className="flex flex-col gap-1">
          {(showsAll ? items : items.slice(0, maxNamed)).map(({ id, name, detail }) => (
            <li key={id} className="wrap-anywhere">
              {name} <span className="text-muted">{detail}</span>
            </li>
          ))}
        </ul>
      </ScrollRegion>
      {others > 0 ? (
        <Button
          size="small"
          tone="quiet"
          className="mt-1"
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? t("Show fewer") : t("and {count} more", { count: others })}
        </Button>
      ) : null}
    </div>
  );
}
