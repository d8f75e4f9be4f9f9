"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import type { ColumnsAddress } from "@/components/ui/table/chosen-columns";
import type { SavedView } from "@/lib/features/views/contract";
import { keptQuery, type ViewPage } from "@/lib/features/views/values";
import { viewKeys } from "./query-keys";

/** The page's column settings by parameters of the address; those not in the address are stored in the browser. */
export type Columns = Readonly<Record<keyof ColumnsAddress, string>> | undefined;

/** The query that a view saved now would contain; `columns` are the relevant column parameters. */
function queryNow(page: ViewPage, address: URLSearchParams, columns: [string, string][]): string {
  const all = new URLSearchParams(address);
  for (const [name, value] of columns) all.set(name, value);
  return keptQuery(page, all);
}

/** The saved views of a page, the current one, and functions that apply another. */
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
    // Older views lack column parameters: these are the browser's until the address sets them.
    const matters = columnsNow.filter(([name]) => kept.has(name));
    return keptQuery(page, kept) === queryNow(page, address, matters);
  };
  const open = (to: string) => {
    // Changes only the address, from which the page reads its state.
    window.history.pushState(null, "", to ? `${path}?${to}` : path);
  };
  const shown = views.find(isShown);
  return {
    views,
    query,
    shown,
    /** The view that was applied before a change. */
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
