"use client";

import { type ReactNode, useId, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { ScrollRegion } from "@/components/ui/scroll-region";

/** The number of names shown before the others are expanded. */
const maxNamed = 10;

interface AffectedProps {
  /** The title of the list. */
  title: string;
  items: { id: string; name: string; detail: ReactNode }[];
}

/** The names of the objects of an action: an address can preselect rows, so a count is not enough. */
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
