"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { CallError } from "@/lib/api/client";
import type { ListState } from "./list-state";
import type { Selection } from "./selection";
import type { UserPage } from "./users-query";
import { UsersTable } from "./users-table";

interface UsersResultProps {
  found: UseQueryResult<UserPage>;
  state: ListState;
  onNarrow: (change: Partial<ListState>) => void;
  hidden: string[];
  density: string;
  roleNames: Record<string, string>;
  /** Absent where nothing can be done with many at once. */
  selection: Selection | undefined;
}

export function UsersResult({ found, state, onNarrow, hidden, density, roleNames, selection }: UsersResultProps) {
  const { view } = usePortal();
  const { data, error } = found;
  if (error && !data) {
    return (
      <div className="p-4">
        <ErrorNotice
          title="The users could not be read"
          detail={error.message}
          requestId={error instanceof CallError ? error.requestId : undefined}
          action={
            <Button size="small" onClick={() => void found.refetch()}>
              Try again
            </Button>
          }
        />
      </div>
    );
  }
  if (!data) return <Skeleton className="m-3 h-96" />;
  if (data.users.length === 0) {
    const clear = () => onNarrow({ q: "", role: "", site: "", lock: "" });
    return (
      <EmptyState
        title="No user fits"
        purpose="Nobody in this tenant matches the search and the filters together."
        action={<Button onClick={clear}>Clear filters</Button>}
      >
        <CodeBlock
          label="this search as a call"
          code={`curl '${view.origin}/v1/user/list?q=${encodeURIComponent(state.q)}' -H 'X-Service-Tenant: ${view.tenant}' -H 'X-Service-API-Key: svk_...'`}
        />
      </EmptyState>
    );
  }
  return (
    <div
      className={classNames("transition-opacity duration-150", found.isPlaceholderData && "opacity-60")}
      aria-busy={found.isPlaceholderData}
    >
      <UsersTable
        users={data.users}
        state={state}
        onSort={(sort) => onNarrow({ sort })}
        hidden={hidden}
        density={density}
        roleNames={roleNames}
        selection={selection}
      />
    </div>
  );
}
