"use client";

import { useId, useState } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { ScrollRegion } from "@/components/ui/scroll-region";
import type { User } from "@/lib/features/users/contract";

/** How many are named before one asks for the others. */
const maxNamed = 10;

/** Whom an action is for: an address can select users, so their number does not say who they are. */
export function AffectedUsers({ users }: { users: User[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const headingId = useId();
  const others = users.length - maxNamed;
  return (
    <div>
      <p id={headingId} className="mb-1 text-body font-medium">
        {t("Affected users")}
      </p>
      <ScrollRegion
        aria-labelledby={headingId}
        className="max-h-56 overflow-y-auto rounded-control border border-border bg-surface px-3 py-2 text-body"
      >
        <ul className="flex flex-col gap-1">
          {(showsAll ? users : users.slice(0, maxNamed)).map(({ id, name, login }) => (
            <li key={id} className="wrap-anywhere">
              {name} <code className="text-muted">{login}</code>
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
