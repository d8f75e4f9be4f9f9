import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";

interface SeedProps {
  queryKey: QueryKey;
  data: unknown;
  children: ReactNode;
}

export interface SeedsProps {
  /** The data by query key; the browser fetches entries that are undefined. */
  entries: readonly (readonly [QueryKey, unknown])[];
  children: ReactNode;
}

/** Puts data read on the server into the query cache, so that the first view sends no request. */
export function Seed({ queryKey, data, children }: SeedProps) {
  return <Seeds entries={[[queryKey, data]]}>{children}</Seeds>;
}

/** Like `Seed`, for a page with several queries. */
export function Seeds({ entries, children }: SeedsProps) {
  const queries = new QueryClient();
  for (const [queryKey, data] of entries) queries.setQueryData(queryKey, data);
  return <HydrationBoundary state={dehydrate(queries)}>{children}</HydrationBoundary>;
}
