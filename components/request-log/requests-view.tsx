"use client";

import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useAddress } from "@/components/shell/address";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { DataTable } from "@/components/ui/table/data-table";
import { ListResult } from "@/components/ui/table/list-result";
import { RowPeek } from "@/components/ui/table/row-peek";
import { Cell, Row } from "@/components/ui/table/table";
import type { RefusedRequest } from "@/lib/features/request-log/contract";
import { curlLine } from "@/lib/protocol/curl";
import { requestKeys } from "./query-keys";
import { CallerName, RequestStatus, WhyText } from "./request-words";
import {
  asRequestsQuery,
  type RequestFilters,
  readRequestFilters,
  requestFilters,
} from "./requests-path";
import { RequestsToolbar } from "./requests-toolbar";

const RequestPeek = lazyPart(() => import("./request-peek").then((module) => module.RequestPeek));

const idOf = ({ id }: RefusedRequest) => id;

function RequestsTable({ requests }: { requests: RefusedRequest[] }) {
  const { view } = usePortal();
  const hrefOf = ({ id }: RefusedRequest) => `/t/${view.tenant}/requests/${id}`;
  return (
    <RowPeek
      items={requests}
      idOf={idOf}
      peek={(request, onClose) => (
        <RequestPeek request={request} href={hrefOf(request)} onClose={onClose} />
      )}
    >
      <DataTable
        label={t("Requests, newest first")}
        className="[--row:36px]"
        name="requests"
        heads={[t("When"), t("Request"), t("Status"), t("Why"), t("Caller"), t("From")]}
      >
        <tbody>
          {requests.map((one) => (
            <RequestRow key={one.id} request={one} href={hrefOf(one)} />
          ))}
        </tbody>
      </DataTable>
    </RowPeek>
  );
}

function RequestRow({ request, href }: { request: RefusedRequest; href: string }) {
  return (
    <Row>
      <Cell className="text-muted">
        <Instant at={request.occurredAt} />
      </Cell>
      <Cell className="max-w-80 truncate" card="lead">
        <Link
          href={href}
          data-row={request.id}
          title={`${request.method} ${request.path}`}
          className="rounded-control font-medium underline decoration-border-strong underline-offset-4"
        >
          {request.method} {request.path}
        </Link>
      </Cell>
      <Cell card="end">
        <RequestStatus status={request.status} />
      </Cell>
      <Cell className="max-w-80 truncate" title={`${request.code} ${request.reason ?? ""}`.trim()}>
        <WhyText request={request} />
      </Cell>
      <Cell className="max-w-56 truncate text-muted">
        <CallerName request={request} hasLinks={false} />
      </Cell>
      <Cell className="text-muted">{request.address}</Cell>
    </Row>
  );
}

/** The logged requests that match the filters, page by page. */
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

/** The failed requests of the last 7 days and a sample of successful ones; a pasted request id finds its request. */
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

/** `onClear` is absent when no filter is set. */
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
