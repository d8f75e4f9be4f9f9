import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";

interface SeedProps {
  queryKey: QueryKey;
  data: unknown;
  children: ReactNode;
}

/** Hands what the page read on the server to the query cache, so that the first view makes no call. */
export function Seed({ queryKey, data, children }: SeedProps) {
  const queries = new QueryClient();
  queries.setQueryData(queryKey, data);
  return <HydrationBoundary state={dehydrate(queries)}>{children}</HydrationBoundary>;
}
