"use client";

import { queryOptions } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";

/** The query for one's own keys, newest first. */
export function useOwnKeys() {
  const { view, call } = usePortal();
  return queryOptions({
    queryKey: [view.tenant, "api-keys"],
    queryFn: ({ signal }) =>
      call("GET /v1/user/profile/api-keys", { query: { limit: "200" }, signal }),
  });
}
