"use client";

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { asViewCall } from "@/components/shell/view-call";
import { deletedKey, documentKey, listKey, type PreviewDocument, revisionsKey } from "./keys";

/** The configurations of a site, or the deleted ones that can be restored. */
export function usePreviewList(site: string, which: "live" | "deleted" = "live") {
  const { view, call } = usePortal();
  return queryOptions({
    queryKey: which === "live" ? listKey(view.tenant, site) : deletedKey(view.tenant, site),
    queryFn: ({ signal }) =>
      call("GET /pim/preview", {
        site,
        query: { limit: "200", deleted: which === "live" ? "false" : "true" },
        signal,
      }),
    ...(which === "live" && { meta: asViewCall({ operation: "GET /pim/preview", site }) }),
  });
}

/** Reads one configuration: its text byte for byte, and its metadata. */
export function useReadDocument(site: string, key: string) {
  const { call, exchangeText } = usePortal();
  return async (signal?: AbortSignal): Promise<PreviewDocument> => {
    const more = signal ? { signal } : {};
    const [preview, { text, etag }] = await Promise.all([
      call("GET /pim/preview/{key}", { site, params: { key }, ...more }),
      exchangeText("GET /pim/preview/{key}/configuration", { site, params: { key }, ...more }),
    ]);
    return { preview, text, etag };
  };
}

export function usePreviewDocument(site: string, key: string) {
  const { view } = usePortal();
  const read = useReadDocument(site, key);
  return queryOptions({
    queryKey: documentKey(view.tenant, site, key),
    queryFn: ({ signal }) => read(signal),
  });
}

/** The revisions of a configuration, newest first, page by page. */
export function usePreviewRevisions(site: string, key: string) {
  const { view, exchange } = usePortal();
  return infiniteQueryOptions({
    queryKey: revisionsKey(view.tenant, site, key),
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: "50", ...(pageParam ? { cursor: pageParam } : {}) };
      const { answer, next } = await exchange("GET /pim/preview/{key}/revisions", {
        site,
        params: { key },
        query,
        signal,
      });
      return { revisions: answer, next: next?.get("cursor") ?? "" };
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next || undefined,
  });
}

/** The bytes of one revision never change. */
export function useRevisionText(site: string, key: string, n: number) {
  const { view, exchangeText } = usePortal();
  return queryOptions({
    queryKey: [...revisionsKey(view.tenant, site, key), n],
    queryFn: async ({ signal }) =>
      (
        await exchangeText("GET /pim/preview/{key}/revisions/{n}", {
          site,
          params: { key, n: String(n) },
          signal,
        })
      ).text,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
