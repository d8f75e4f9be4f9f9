"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useAddress } from "@/components/shell/address";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { ListResult } from "@/components/ui/list-result";
import { PageHeader } from "@/components/ui/page-header";
import { SearchInput } from "@/components/ui/search-input";
import { Select } from "@/components/ui/select";
import { type RequestFilters, requestFilters, useRequestsQuery } from "./requests-query";
import { RequestsTable } from "./requests-table";

const noFilters: RequestFilters = { requestId: "", code: "", status: "", userId: "" };
const statuses = ["400", "401", "403", "404", "409", "429", "500", "503"];

/** What was rejected or failed in the last 7 days; a pasted request id finds its request. */
export function RequestsView() {
  const [filters, setFilters] = useAddress(requestFilters);
  const found = useInfiniteQuery(useRequestsQuery(filters));
  const clear = Object.values(filters).some(Boolean) ? () => setFilters(noFilters) : undefined;
  return (
    <>
      <PageHeader
        title="Requests"
        wide
        lead="Calls of the last 7 days that were rejected or failed, and why. Bodies, headers and query values are not stored."
      />
      <div className="rounded-card border border-border bg-bg">
        <Toolbar filters={filters} onChange={setFilters} />
        <ListResult
          found={found}
          failed="The requests could not be read"
          more="Show older requests"
          empty={<NoRequests onClear={clear} />}
        >
          {(requests) => <RequestsTable requests={requests} />}
        </ListResult>
      </div>
    </>
  );
}

interface ToolbarProps {
  filters: RequestFilters;
  onChange: (change: Partial<RequestFilters>) => void;
}

function Toolbar({ filters, onChange }: ToolbarProps) {
  return (
    <search className="flex flex-wrap items-center gap-2 border-b border-border p-3">
      <SearchInput
        label="Find a request by its id"
        placeholder="X-Service-Request-Id"
        value={filters.requestId}
        onChange={(requestId) => onChange({ requestId: requestId.trim() })}
      />
      <Select
        aria-label="Status"
        value={filters.status}
        onChange={(event) => onChange({ status: event.target.value })}
      >
        <option value="">Any status</option>
        {statuses.map((status) => (
          <option key={status}>{status}</option>
        ))}
      </Select>
    </search>
  );
}

/** `onClear` is absent where no filter is set. */
function NoRequests({ onClear }: { onClear: (() => void) | undefined }) {
  const { view } = usePortal();
  return (
    <EmptyState
      title="No rejected requests"
      purpose="Rejected and failed calls appear here within a few seconds."
      action={onClear ? <Button onClick={onClear}>Clear filters</Button> : null}
    >
      <CodeBlock
        label="a rejected call"
        code={`curl -i '${view.origin}/v1/user/list' -H 'X-Service-Tenant: ${view.tenant}' -H 'X-Service-Request-Id: try-1'`}
      />
    </EmptyState>
  );
}
