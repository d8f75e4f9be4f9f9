"use client";

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { useIsGone } from "@/components/ui/gone";
import { deliveryStates } from "@/lib/features/destinations/values";
import { webhookKeys } from "./query-keys";

/** The tenant's webhooks, page by page. */
export function useWebhooksQuery() {
  const { view, exchange } = usePortal();
  return infiniteQueryOptions({
    queryKey: webhookKeys.list(view.tenant),
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: "200", cursor: pageParam };
      const { answer, next } = await exchange("GET /v1/webhooks", { query, signal });
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    meta: asViewCall({ operation: "GET /v1/webhooks", needsSession: true }),
  });
}

export function useWebhookQuery(id: string) {
  const { view, call } = usePortal();
  const isGone = useIsGone(id);
  return queryOptions({
    queryKey: webhookKeys.one(view.tenant, id),
    queryFn: ({ signal }) => call("GET /v1/webhooks/{id}", { params: { id }, signal }),
    enabled: !isGone,
  });
}

export const deliveryFilters = ["status", "type"] as const;

export type DeliveryFilters = Record<(typeof deliveryFilters)[number], string>;

/** The deliveries of a webhook that match the filters; polled while some are pending. */
export function useDeliveriesQuery(id: string, filters: DeliveryFilters) {
  const { view, exchange } = usePortal();
  const isGone = useIsGone(id);
  return infiniteQueryOptions({
    queryKey: webhookKeys.deliveries(view.tenant, id, filters),
    queryFn: async ({ pageParam, signal }) => {
      const status = deliveryStates.find((one) => one === filters.status);
      const query = {
        type: filters.type,
        limit: "50",
        cursor: pageParam,
        ...(status && { status }),
      };
      const given = { params: { id }, query, signal };
      const { answer, next } = await exchange("GET /v1/webhooks/{id}/deliveries", given);
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
    enabled: !isGone,
  });
}

export function useDeliveryQuery(id: string, deliveryId: string) {
  const { view, call } = usePortal();
  return queryOptions({
    queryKey: webhookKeys.delivery(view.tenant, id, deliveryId),
    queryFn: ({ signal }) =>
      call("GET /v1/webhooks/{id}/deliveries/{deliveryId}", {
        params: { id, deliveryId },
        signal,
      }),
  });
}
