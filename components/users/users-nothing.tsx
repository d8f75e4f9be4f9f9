"use client";

import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNotice } from "@/components/ui/error-notice";
import { CallError } from "@/lib/catalogue/client";

interface UsersNothingProps {
  /** Why nothing could be read; absent where no user matches. */
  error: Error | null;
  q: string;
  onRetry: () => void;
  onClear: () => void;
}

/** What stands where the table would be. It arrives when it is needed. */
export function UsersNothing({ error, q, onRetry, onClear }: UsersNothingProps) {
  const { view } = usePortal();
  if (error) {
    return (
      <div className="p-4">
        <ErrorNotice
          title="The users could not be loaded"
          detail={error.message}
          requestId={error instanceof CallError ? error.requestId : undefined}
          action={
            <Button size="small" onClick={onRetry}>
              Try again
            </Button>
          }
        />
      </div>
    );
  }
  const curl = `curl '${view.origin}/v1/user/list?q=${encodeURIComponent(q)}' \\\n  -H 'X-Service-Tenant: ${view.tenant}' \\\n  -H 'X-Service-API-Key: svk_...'`;
  return (
    <EmptyState
      title="No users match"
      purpose="No user in this tenant matches the search and the filters."
      action={<Button onClick={onClear}>Clear filters</Button>}
    >
      <CodeBlock label="this search as a call" code={curl} />
    </EmptyState>
  );
}
