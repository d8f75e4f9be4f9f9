"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import type { ColumnsAddress } from "@/components/ui/table/chosen-columns";
import type { SavedView } from "@/lib/features/views/contract";
import { keptQuery, type ViewPage } from "@/lib/features/views/values";
import { viewKeys } from "./query-keys";

/** What the page shows of its columns, by parameters of its address; it need not be there, because the browser remembers it. */
export type Columns = Readonly<Record<keyof ColumnsAddress, string>> | undefined;

/** The query that a view of the page would keep now; `columns` are those of the parameters that matter. */
function queryNow(page: ViewPage, address: URLSearchParams, columns: [string, string][]): string {
  const all = new URLSearchParams(address);
  for (const [name, value] of columns) all.set(name, value);
  return keptQuery(page, all);
}

/** The saved views of a page, the one that is on screen, and the ways to another one. */
export function useViews(page: ViewPage, columns: Columns) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const address = useSearchParams();
  const path = usePathname();
  const [appliedId, setAppliedId] = useState<string>();
  const queryKey = viewKeys.list(view.tenant, page);
  const found = useQuery({
    queryKey,
    queryFn: ({ signal }) => call("GET /v1/views", { query: { page }, signal }),
  });
  const views = found.data ?? [];
  const columnsNow = Object.entries(columns ?? {});
  const query = queryNow(page, address, columnsNow);
  const isShown = (one: SavedView) => {
    const kept = new URLSearchParams(one.query);
    // What a view does not say, as those from before columns had an order, it leaves to the browser, until the address says it.
    const matters = columnsNow.filter(([name]) => kept.has(name));
    return keptQuery(page, kept) === queryNow(page, address, matters);
  };
  const open = (to: string) => {
    // Only the address changes: the page reads what it needs from that.
    window.history.pushState(null, "", to ? `${path}?${to}` : path);
  };
  const shown = views.find(isShown);
  return {
    views,
    query,
    shown,
    /** The view that was applied before something was changed. */
    changed: shown ? undefined : views.find(({ id }) => id === appliedId),
    apply: (one: SavedView | undefined) => {
      setAppliedId(one?.id);
      open(one?.query ?? "");
    },
    note: setAppliedId,
    reload: () => queries.invalidateQueries({ queryKey }),
  };
}

export type Views = ReturnType<typeof useViews>;
