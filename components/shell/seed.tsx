import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";

interface SeedProps {
  queryKey: QueryKey;
  data: unknown;
  children: ReactNode;
}

export interface SeedsProps {
  /** What was read by the key of its query; what is undefined is read by the browser. */
  entries: readonly (readonly [QueryKey, unknown])[];
  children: ReactNode;
}

/** Hands what the page read on the server to the query cache, so that the first view makes no call. */
export function Seed({ queryKey, data, children }: SeedProps) {
  return <Seeds entries={[[queryKey, data]]}>{children}</Seeds>;
}

/** As `Seed`, for a page of several queries. */
export function Seeds({ entries, children }: SeedsProps) {
  const queries = new QueryClient();
  for (const [queryKey, data] of entries) queries.setQueryData(queryKey, data);
  return <HydrationBoundary state={dehydrate(queries)}>{children}</HydrationBoundary>;
}
