"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { usePortal } from "@/components/shell/portal";
import { Button, buttonLook } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { CallError } from "@/lib/catalogue/client";
import { type KeyFilter, useManagedKeys } from "./managed-keys-query";
import { ManagedKeysTable } from "./managed-keys-table";

/** The keys that a filter finds, and more of them on demand. */
export function ManagedKeys({ filter, owner }: { filter: KeyFilter; owner?: string }) {
  const { view } = usePortal();
  const queries = useQueryClient();
  const found = useInfiniteQuery(useManagedKeys(filter, owner));
  const reread = () => void queries.invalidateQueries({ queryKey: [view.tenant, "managed-keys"] });
  if (found.error && !found.data) {
    const requestId = found.error instanceof CallError ? found.error.requestId : undefined;
    return (
      <div className="p-4">
        <ErrorNotice
          title="The keys could not be read"
          detail={found.error.message}
          requestId={requestId}
          action={<Button onClick={reread}>Try again</Button>}
        />
      </div>
    );
  }
  if (!found.data) return <Skeleton className="m-4 h-64" />;
  const keys = found.data.pages.flatMap((page) => page.keys);
  if (keys.length === 0) return <NoKeys filter={filter} owner={owner} />;
  return (
    <div
      aria-busy={found.isPlaceholderData}
      className={found.isPlaceholderData ? "opacity-60" : ""}
    >
      <ManagedKeysTable keys={keys} oneOwner={owner !== undefined} onDone={reread} />
      {found.hasNextPage ? (
        <p className="border-t border-border px-3 py-2">
          <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            Show more keys
          </Button>
        </p>
      ) : null}
    </div>
  );
}

function NoKeys({ filter, owner }: { filter: KeyFilter; owner: string | undefined }) {
  const { view } = usePortal();
  if (filter !== "all")
    return <EmptyState title="No key fits" purpose="No API key of this tenant is in this state." />;
  const query = owner ? `?owner=${owner}` : "";
  const curl = `curl '${view.origin}/v1/user/api-keys${query}' \\\n  -H 'X-Service-Tenant: ${view.tenant}' \\\n  -H 'X-Service-API-Key: svk_...'`;
  return (
    <EmptyState
      title="No API keys yet"
      purpose={
        owner
          ? "Every key of this user will be listed here, with its calls and its end."
          : "Keys are made by their owners, and for service users by a manager. Every one of them will be listed here."
      }
      action={
        owner ? null : (
          <Link
            href={`/t/${view.tenant}/me?generate=1#api-keys`}
            className={buttonLook("secondary")}
          >
            Generate your own key
          </Link>
        )
      }
    >
      <CodeBlock code={curl} label="the call that lists keys" />
    </EmptyState>
  );
}
