"use client";

import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useAddress } from "@/components/shell/address";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { ListResult } from "@/components/ui/table/list-result";
import { curlLine } from "@/lib/protocol/curl";
import { requestKeys } from "./query-keys";
import {
  asRequestsQuery,
  type RequestFilters,
  readRequestFilters,
  requestFilters,
} from "./requests-path";
import { RequestsTable } from "./requests-table";
import { RequestsToolbar } from "./requests-toolbar";

/** Requests of the log as the filters cut them, page by page. */
function useRequestsQuery(filters: RequestFilters) {
  const { view, exchange } = usePortal();
  return infiniteQueryOptions({
    queryKey: requestKeys.list(view.tenant, filters),
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...asRequestsQuery(filters), limit: "50", cursor: pageParam };
      const { answer, next } = await exchange("GET /v1/requests", { query, signal });
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: asViewCall({
      operation: "GET /v1/requests",
      needsSession: true,
      query: asRequestsQuery(filters),
    }),
  });
}

const noFilters = readRequestFilters(() => "");

/** What failed in the last 7 days and a sample of what succeeded; a pasted request id finds its request. */
export function RequestsView() {
  const [filters, setFilters] = useAddress(requestFilters);
  const found = useInfiniteQuery(useRequestsQuery(filters));
  const clear = Object.values(filters).some(Boolean) ? () => setFilters(noFilters) : undefined;
  return (
    <>
      <PageHeader
        title={t("Requests")}
        wide
        lead={t(
          "Calls of the last 7 days: each one that failed, and why, and one success a minute of each caller, operation and status. Bodies, headers and query values are not stored.",
        )}
      />
      <div className="rounded-card border border-border bg-bg">
        <RequestsToolbar filters={filters} onChange={setFilters} />
        <ListResult
          found={found}
          failed={t("The requests could not be loaded")}
          more={t("Show older requests")}
          empty={<NoRequests onClear={clear} />}
        >
          {(requests) => <RequestsTable requests={requests} />}
        </ListResult>
      </div>
    </>
  );
}

/** `onClear` is absent where no filter is set. */
function NoRequests({ onClear }: { onClear: (() => void) | undefined }) {
  const { view } = usePortal();
  return (
    <EmptyState
      title={t("No requests match")}
      purpose={t("Calls appear here within a few seconds.")}
      action={onClear ? <Button onClick={onClear}>{t("Clear filters")}</Button> : null}
    >
      <CodeBlock
        label={t("a rejected call")}
        code={curlLine({
          url: `${view.origin}/v1/user/list`,
          headers: [
            ["X-Service-Tenant", view.tenant],
            ["X-Service-Request-Id", "try-1"],
          ],
          isVerbose: true,
        })}
      />
    </EmptyState>
  );
}
