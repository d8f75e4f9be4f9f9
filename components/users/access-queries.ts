"use client";

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { keyKeys } from "@/components/api-keys/query-keys";
import { usePortal } from "@/components/shell/portal";
import { userKeys } from "./query-keys";

/** The roles of a user with their ETag, as far as the current user may see them. */
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

/** The user's last use of each permission, according to the metrics. */
export function useLastUseQuery(userId: string, site: string | undefined) {
  const { view, call } = usePortal();
  return queryOptions({
    queryKey: userKeys.lastUse(view.tenant, userId, site),
    queryFn: ({ signal }) => call("GET /v1/access/last-use", { site, query: { userId }, signal }),
    staleTime: 300_000,
  });
}

/** Users with their roles in small pages, for a review row by row. */
export function useReviewQuery(site: string | undefined) {
  const { view, exchange } = usePortal();
  return infiniteQueryOptions({
    queryKey: userKeys.review(view.tenant, site),
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: "20", fields: "+lastLoginAt,state", cursor: pageParam };
      const { answer, next } = await exchange("GET /v1/user/list", { site, query, signal });
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
  });
}

/** A user's active keys. */
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

/** The access requests that the reader may decide, and the reader's own. */
export function useAccessRequestsQuery() {
  const { view, call } = usePortal();
  return queryOptions({
    queryKey: userKeys.accessRequests(view.tenant),
    queryFn: ({ signal }) => call("GET /v1/user/access-requests", { signal }),
  });
}
