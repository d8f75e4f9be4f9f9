"use client";

import { useRef } from "react";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/select";
import { type ListState, pageSizes } from "./list-state";

interface PagerProps {
  state: ListState;
  shown: number;
  next: string | null;
  onTurn: (change: Partial<Pick<ListState, "page" | "cursor" | "size">>) => void;
}

/** Pages forward by the service's cursor; back along the pages that were seen, else to the first. */
export function Pager({ state, shown, next, onTurn }: PagerProps) {
  const { page, cursor, size } = state;
  const seen = useRef<string[]>([]);
  seen.current[page] = cursor;
  const back = () => {
    const before = seen.current[page - 1];
    onTurn(before === undefined ? { page: 1, cursor: "" } : { page: page - 1, cursor: before });
  };
  const first = (page - 1) * size + 1;
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center gap-2 border-t border-border px-3 py-2"
    >
      <span role="status" className="figures min-w-24 flex-1 text-body text-muted">
        {shown === 0
          ? "No users"
          : page === 1 && next === null
            ? `${shown} ${shown === 1 ? "user" : "users"}`
            : `Users ${first} to ${first + shown - 1}${next === null ? " (last page)" : ""}`}
      </span>
      <Select
        aria-label="Users per page"
        value={String(size)}
        onChange={(event) => onTurn({ size: Number(event.target.value), page: 1, cursor: "" })}
      >
        {pageSizes.map((one) => (
          <option key={one} value={one}>
            {one} per page
          </option>
        ))}
      </Select>
      <Button disabled={page === 1} onClick={back}>
        Previous
      </Button>
      <Button
        disabled={next === null}
        onClick={() => onTurn({ page: page + 1, cursor: next ?? "" })}
      >
        Next
      </Button>
    </nav>
  );
}
