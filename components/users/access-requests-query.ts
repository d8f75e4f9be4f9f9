"use client";

import { queryOptions } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { userKeys } from "./query-keys";

/** What others ask for and the reader may decide, and what the reader asked for. */
export function useAccessRequestsQuery() {
  const { view, call } = usePortal();
  return queryOptions({
    queryKey: userKeys.accessRequests(view.tenant),
    queryFn: ({ signal }) => call("GET /v1/user/access-requests", { signal }),
  });
}
