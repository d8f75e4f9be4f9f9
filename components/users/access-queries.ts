"use client";

import { queryOptions } from "@tanstack/react-query";
import { keyKeys } from "@/components/api-keys/query-keys";
import { usePortal } from "@/components/shell/portal";
import { userKeys } from "./query-keys";

/** The roles of a user with their ETag, as the person on screen may see them. */
export function useRolesQuery(userId: string, site: string | undefined) {
  const { view, exchange } = usePortal();
  return queryOptions({
    queryKey: userKeys.roles(view.tenant, userId, site),
    queryFn: async ({ signal }) => {
      const { answer, etag } = await exchange("GET /v1/user/{id}/roles", {
        site,
        params: { id: userId },
        signal,
      });
      return { roles: answer, etag: etag ?? "" };
    },
  });
}

/** A user's keys that work now. */
export function useActiveKeysQuery(userId: string, enabled: boolean) {
  const { view, call } = usePortal();
  return queryOptions({
    queryKey: keyKeys.managedActive(view.tenant, userId),
    queryFn: ({ signal }) =>
      call("GET /v1/user/api-keys", {
        query: { owner: userId, status: "active", fields: "+callsByDay", limit: "200" },
        signal,
      }),
    enabled,
  });
}
