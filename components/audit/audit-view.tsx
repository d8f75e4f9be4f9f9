"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useAddress } from "@/components/shell/address";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { type AuditFilters, auditFilters, useAuditQuery } from "./audit-query";
import { AuditTable } from "./audit-table";
import { AuditToolbar } from "./audit-toolbar";
import { VerifyTrail } from "./verify-trail";

const nothing: AuditFilters = {
  action: "",
  actor: "",
  target: "",
  requestId: "",
  from: "",
  to: "",
};

/** Who did what, when and from where; the filters live in the address. */
export function AuditView() {
  const { view } = usePortal();
  const [filters, setFilters] = useAddress(auditFilters);
  const found = useInfiniteQuery(useAuditQuery(filters));
  const events = found.data?.pages.flatMap((page) => page.events) ?? [];
  return (
    <>
      <PageHeader
        title="Audit"
        lead="Every change in this tenant, with who made it and from where. The trail is tamper-evident."
        actions={<VerifyTrail />}
      />
      <div className="rounded-card border border-border bg-bg">
        <AuditToolbar filters={filters} onChange={setFilters} />
        {found.error ? (
          <div className="p-4">
            <CallFailed title="The trail could not be read" error={found.error} />
          </div>
        ) : null}
        {found.isPending ? <Skeleton className="m-3 h-96" /> : null}
        {found.data && events.length === 0 ? (
          <EmptyState
            title="No entries match"
            purpose="No entry matches all filters."
            action={<Button onClick={() => setFilters(nothing)}>Clear filters</Button>}
          >
            <CodeBlock
              label="the trail as a call"
              code={`curl '${view.origin}/v1/audit/events' -H 'X-Service-Tenant: ${view.tenant}' -H 'X-Service-API-Key: svk_...'`}
            />
          </EmptyState>
        ) : null}
        {events.length > 0 ? (
          <AuditTable events={events} isStale={found.isPlaceholderData} />
        ) : null}
        {found.hasNextPage ? (
          <div className="border-t border-border p-3 text-center">
            <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              Show older entries
            </Button>
          </div>
        ) : null}
      </div>
    </>
  );
}
