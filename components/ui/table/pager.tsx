"use client";

import { type ReactNode, useRef } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";

interface PagerProps {
  page: number;
  /** The cursor that the page on screen was read with. */
  cursor: string;
  /** The cursor of the next page; null on the last. */
  next: string | null;
  /** A description of the page on screen. */
  status: string;
  onTurn: (to: { page: number; cursor: string }) => void;
  /** Further controls of the pager. */
  children?: ReactNode;
}

/** Pages forward by the service's cursor; back along the visited pages, otherwise to the first. */
export function Pager({ page, cursor, next, status, onTurn, children }: PagerProps) {
  const seen = useRef<string[]>([]);
  seen.current[page] = cursor;
  const before = seen.current[page - 1];
  const back = before === undefined ? { page: 1, cursor: "" } : { page: page - 1, cursor: before };
  return (
    <nav
      aria-label={t("Pages")}
      className="flex flex-wrap items-center gap-2 border-t border-border px-3 py-2"
    >
      <span
        role="status"
        className="figures min-w-24 flex-1 text-body text-muted max-sm:basis-full"
      >
        {status}
      </span>
      <span className="contents print:hidden">{children}</span>
      <Button disabled={page === 1} onClick={() => onTurn(back)}>
        {t("Previous")}
      </Button>
      <Button
        disabled={next === null}
        onClick={() => onTurn({ page: page + 1, cursor: next ?? "" })}
      >
        {t("Next")}
      </Button>
    </nav>
  );
}
