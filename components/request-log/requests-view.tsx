"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useAddress } from "@/components/shell/address";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { SearchInput } from "@/components/ui/search-input";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import { type RequestFilters, requestFilters, useRequestsQuery } from "./requests-query";
import { RequestsTable } from "./requests-table";

const nothing: RequestFilters = { requestId: "", code: "", status: "", userId: "" };
const statuses = ["400", "401", "403", "404", "409", "429", "500", "503"];

/** What was refused or failed in the last seven days; a pasted request id finds its request. */
export function RequestsView() {
  const { view } = usePortal();
  const [filters, setFilters] = useAddress(requestFilters);
  const found = useInfiniteQuery(useRequestsQuery(filters));
  const requests = found.data?.pages.flatMap((page) => page.requests) ?? [];
  return (
    <>
      <PageHeader
        title="Requests"
        lead="Calls of the last 7 days that were rejected or failed, and why. Bodies, headers and query values are not stored."
      />
      <div className="rounded-card border border-border bg-bg">
        <search className="flex flex-wrap items-center gap-2 border-b border-border p-3">
          <SearchInput
            label="Find a request by its id"
            placeholder="X-Service-Request-Id"
            value={filters.requestId}
            onChange={(requestId) => setFilters({ requestId: requestId.trim() })}
          />
          <Select
            aria-label="Status"
            value={filters.status}
            onChange={(event) => setFilters({ status: event.target.value })}
          >
            <option value="">Any status</option>
            {statuses.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </Select>
        </search>
        {found.error ? (
          <div className="p-4">
            <CallFailed title="The requests could not be read" error={found.error} />
          </div>
        ) : null}
        {found.isPending ? <Skeleton className="m-3 h-96" /> : null}
        {found.data && requests.length === 0 ? (
          <EmptyState
            title="No rejected requests"
            purpose="Rejected and failed calls appear here within a few seconds."
            action={
              Object.values(filters).some(Boolean) ? (
                <Button onClick={() => setFilters(nothing)}>Clear filters</Button>
              ) : null
            }
          >
            <CodeBlock
              label="a rejected call"
              code={`curl -i '${view.origin}/v1/user/list' -H 'X-Service-Tenant: ${view.tenant}' -H 'X-Service-Request-Id: try-1'`}
            />
          </EmptyState>
        ) : null}
        {requests.length > 0 ? (
          <RequestsTable requests={requests} isStale={found.isPlaceholderData} />
        ) : null}
        {found.hasNextPage ? (
          <div className="border-t border-border p-3 text-center">
            <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              Show older requests
            </Button>
          </div>
        ) : null}
      </div>
    </>
  );
}
