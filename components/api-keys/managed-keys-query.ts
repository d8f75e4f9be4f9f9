"use client";

import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { type Message, msg } from "@/components/texts/t";
import type { Input } from "@/lib/catalogue/client";
import { keyKeys } from "./query-keys";

type Query = NonNullable<Input<"GET /v1/user/api-keys">["query"]>;

/** The hygiene filters of the keys page: each is a query of the service. */
export const keyFilters = {
  all: { label: msg("All keys"), query: {} },
  active: { label: msg("Active"), query: { status: "active" } },
  expiring: { label: msg("Expiring in 14 days"), query: { expiresWithin: "P14D" } },
  idle: { label: msg("Idle 90 days"), query: { status: "active", unusedFor: "P90D" } },
  never: { label: msg("Never used"), query: { status: "active", neverUsed: "true" } },
  locked: { label: msg("Owner locked"), query: { status: "active", ownerLock: "true" } },
  suspended: { label: msg("Suspended"), query: { status: "suspended" } },
  past: { label: msg("Expired"), query: { status: "expired" } },
} as const satisfies Record<string, { label: Message; query: Query }>;

export type KeyFilter = keyof typeof keyFilters;

export const isKeyFilter = (text: string | null): text is KeyFilter =>
  text !== null && Object.hasOwn(keyFilters, text);

/** The tenant's keys page by page, or one owner's. */
export function useManagedKeys(filter: KeyFilter, owner?: string) {
  const { view, exchange } = usePortal();
  return infiniteQueryOptions({
    queryKey: keyKeys.managedList(view.tenant, owner, filter),
    queryFn: async ({ pageParam, signal }) => {
      const query: Query = {
        ...keyFilters[filter].query,
        fields: "+callsByDay",
        limit: "50",
        ...(owner && { owner }),
        ...(pageParam && { cursor: pageParam }),
      };
      const { answer, next } = await exchange("GET /v1/user/api-keys", { query, signal });
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: asViewCall({
      operation: "GET /v1/user/api-keys",
      query: { ...keyFilters[filter].query, ...(owner && { owner }) },
    }),
  });
}
