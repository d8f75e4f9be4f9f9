"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import type { CustomerDetail } from "@/lib/features/customers/staff-contract";
import { customerKeys } from "./query-keys";

type Verb = "POST /v1/customers/{id}/unlock" | "POST /v1/customers/{id}/end-sessions";

/** The staff's actions on one customer; each response is the customer's new state, shown at once. */
export function useCustomerActions(site: string, id: string) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const keep = async (customer: CustomerDetail) => {
    queries.setQueryData(customerKeys.one(view.tenant, site, id), customer);
    await queries.invalidateQueries({ queryKey: customerKeys.lists(view.tenant, site) });
  };
  const plain = (operation: Verb) => () => call(operation, { site, params: { id } });
  return {
    lock: useMutation({
      mutationFn: (body: { reason: string; until?: string }) =>
        call("POST /v1/customers/{id}/lock", { site, params: { id }, body }),
      onSuccess: keep,
    }),
    unlock: useMutation({ mutationFn: plain("POST /v1/customers/{id}/unlock"), onSuccess: keep }),
    addToSite: useMutation({
      mutationFn: (added: string) =>
        call("PUT /v1/customers/{id}/sites/{site}", { site, params: { id, site: added } }),
      onSuccess: keep,
    }),
    removeFromSite: async (left: string) => {
      await call("DELETE /v1/customers/{id}/sites/{site}", { site, params: { id, site: left } });
      if (left !== site)
        await queries.invalidateQueries({ queryKey: customerKeys.one(view.tenant, site, id) });
      await queries.invalidateQueries({ queryKey: customerKeys.lists(view.tenant, left) });
    },
    endSessions: useMutation({
      mutationFn: plain("POST /v1/customers/{id}/end-sessions"),
      onSuccess: keep,
    }),
  };
}

export interface CareProps {
  customer: CustomerDetail;
  site: string;
}
