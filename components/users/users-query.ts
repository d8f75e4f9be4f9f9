"use client";

import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import type { Input } from "@/lib/catalogue/client";
import type { User } from "@/lib/features/users/contract";
import { type ListState, listKey, listQuery } from "./list-state";

/** One page of the list, and the cursor of the next one. */
export interface UserPage {
  users: User[];
  next: string | null;
}

type Query = NonNullable<Input<"GET /v1/user/list">["query"]>;

/** The address may name a role that does not exist: then the service responds with an error. */
export const asQuery = (state: ListState) => listQuery(state) as Query;

/** The page of users for the state in the address. */
export function useUsersQuery(state: ListState, site: string | undefined) {
  const { view, exchange } = usePortal();
  return queryOptions({
    queryKey: listKey(view.tenant, state),
    queryFn: async ({ signal }): Promise<UserPage> => {
      const { answer, next } = await exchange("GET /v1/user/list", {
        site: state.site || site,
        query: asQuery(state),
        signal,
      });
      return { users: answer, next: next?.get("cursor") ?? null };
    },
    placeholderData: keepPreviousData,
    meta: asViewCall({
      operation: "GET /v1/user/list",
      site: state.site || site,
      query: listQuery(state),
    }),
  });
}
