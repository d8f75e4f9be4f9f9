"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { Suspense } from "react";
import { classNames } from "@/components/ui/class-names";
import { useLastData } from "@/components/ui/last-data";
import { lazyPart } from "@/components/ui/lazy-part";
import { isWaiting, WaitingNotice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { Selection } from "@/components/ui/table/selection";
import type { ColumnWidths } from "@/components/ui/table/widths";
import type { User } from "@/lib/features/users/contract";
import { type ListState, noFilters } from "./list-state";
import type { UserPage } from "./users-query";
import { UsersTable } from "./users-table";

const UsersNothing = lazyPart(
  () => import("./users-nothing").then((module) => module.UsersNothing),
  { kind: "panel" },
);

interface UsersResultProps {
  found: UseQueryResult<UserPage>;
  state: ListState;
  onNarrow: (change: Partial<ListState>) => void;
  /** The ids of the columns that are shown, in their order, as one text. */
  shown: string;
  widths: ColumnWidths;
  roleNames: Record<string, string>;
  /** Absent when there are no bulk actions. */
  selection: Selection<User> | undefined;
}

export function UsersResult({
  found,
  state,
  onNarrow,
  shown,
  widths,
  roleNames,
  selection,
}: UsersResultProps) {
  const data = useLastData(found);
  if (!data && !found.error) return <Skeleton className="m-3 h-96" />;
  const clear = () => onNarrow(noFilters);
  const nothing = (error: Error | null) => (
    <Suspense fallback={<Skeleton className="m-3 h-96" />}>
      <UsersNothing
        error={error}
        q={state.q}
        onRetry={() => void found.refetch()}
        onClear={clear}
      />
    </Suspense>
  );
  if (!data) return nothing(found.error);
  if (data.users.length === 0 && !found.error) return nothing(null);
  return (
    <div
      className={classNames(
        "transition-opacity duration-150",
        found.isPlaceholderData && !isWaiting(found) && "opacity-60 delay-300",
      )}
      aria-busy={found.isPlaceholderData}
    >
      {found.error ? nothing(found.error) : null}
      {isWaiting(found) ? (
        <div className="p-3">
          <WaitingNotice />
        </div>
      ) : null}
      <UsersTable
        users={data.users}
        state={state}
        onSort={(sort) => onNarrow({ sort })}
        shown={shown}
        widths={widths}
        roleNames={roleNames}
        selection={selection}
      />
    </div>
  );
}
