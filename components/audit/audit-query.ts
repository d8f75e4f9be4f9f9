"use client";

import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { auditKeys } from "./query-keys";

export const auditFilters = ["action", "actor", "target", "requestId", "from", "to"] as const;

export type AuditFilters = Record<(typeof auditFilters)[number], string>;

/** Days of the reader's own calendar as the instants between which the service looks; `to` is the last day, whole. */
export function asAuditQuery({ from, to, ...filters }: AuditFilters): Record<string, string> {
  const startOf = (day: string, days = 0) => {
    const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
    return new Date(year, month - 1, date + days).toISOString();
  };
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);
  const given = Object.entries(filters).filter(([, value]) => value !== "");
  return {
    ...Object.fromEntries(given),
    ...(isDay(from) && { from: startOf(from) }),
    ...(isDay(to) && { to: startOf(to, 1) }),
  };
}

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
