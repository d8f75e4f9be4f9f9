"use client";

import { queryOptions } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { keyKeys } from "./query-keys";

/** The query for the user's own keys, newest first. */
export function useOwnKeys() {
  const { view, call } = usePortal();
  return queryOptions({
    queryKey: keyKeys.own(view.tenant),
    queryFn: ({ signal }) =>
      call("GET /v1/user/profile/api-keys", { query: { limit: "200" }, signal }),
  });
}
