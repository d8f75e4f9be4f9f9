"use client";

import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useAddress } from "@/components/shell/address";
import { curlByKey } from "@/components/shell/copied-call";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { ListResult } from "@/components/ui/table/list-result";
import { type AuditFilters, asAuditQuery, auditFilters, readAuditFilters } from "./audit-filters";
import { AuditTable } from "./audit-table";
import { AuditToolbar } from "./audit-toolbar";
import { auditKeys } from "./query-keys";
import { VerifyTrail } from "./verify-trail";

/** The entries that match the filters, page by page. */
function useAuditQuery(filters: AuditFilters) {
  const { view, exchange } = usePortal();
  return infiniteQueryOptions({
    queryKey: auditKeys.list(view.tenant, filters),
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        ...asAuditQuery(filters),
        limit: "50",
        ...(pageParam && { cursor: pageParam }),
      };
      const { answer, next } = await exchange("GET /v1/audit/events", { query, signal });
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: asViewCall({ operation: "GET /v1/audit/events", query: asAuditQuery(filters) }),
  });
}

const noFilters = readAuditFilters(() => "");

/** The audit trail: actor, action, time and origin; the filters are stored in the address. */
export function AuditView() {
  const [filters, setFilters] = useAddress(auditFilters);
  const found = useInfiniteQuery(useAuditQuery(filters));
  return (
    <>
      <PageHeader
        title={t("Audit")}
        wide
        lead={t(
          "Every change in this tenant, with who made it and from where. The trail is tamper-evident.",
        )}
        actions={<VerifyTrail />}
      />
      <div className="rounded-card border border-border bg-bg">
        <AuditToolbar filters={filters} onChange={setFilters} />
        <ListResult
          found={found}
          failed={t("The trail could not be loaded")}
          more={t("Show older entries")}
          empty={<NoEntries onClear={() => setFilters(noFilters)} />}
        >
          {(events) => <AuditTable events={events} />}
        </ListResult>
      </div>
    </>
  );
}

function NoEntries({ onClear }: { onClear: () => void }) {
  const { view } = usePortal();
  return (
    <EmptyState
      title={t("No entries match")}
      purpose={t("No entry matches all filters.")}
      action={<Button onClick={onClear}>{t("Clear filters")}</Button>}
    >
      <CodeBlock label={t("the trail as a call")} code={curlByKey(view, "/v1/audit/events")} />
    </EmptyState>
  );
}
