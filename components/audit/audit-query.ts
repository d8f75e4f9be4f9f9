"use client";

import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { type AuditFilters, asAuditQuery } from "./audit-filters";
import { auditKeys } from "./query-keys";

/** The entries that match the filters, page by page. */
export function useAuditQuery(filters: AuditFilters) {
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
