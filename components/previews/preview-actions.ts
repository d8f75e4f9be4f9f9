"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { notify } from "@/components/ui/toast";
import type { Preview } from "@/lib/features/previews/contract";
import { documentKey, type PreviewDocument, siteKey } from "./keys";

const nameOf = ({ title, key }: Preview) => title || key;

/** Archive, delete and what undoes them. Each says what was done and offers the way back. */
export function usePreviewActions(site: string) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const common = {
    onError: (error: Error) => void notify(error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: siteKey(view.tenant, site) }),
  };
  const remember = (preview: Preview) =>
    queries.setQueryData<PreviewDocument>(
      documentKey(view.tenant, site, preview.key),
      (known) => known && { ...known, preview },
    );

  const unarchive = useMutation({
    mutationFn: ({ key }: Preview) =>
      call("POST /pim/preview/{key}/unarchive", { site, params: { key } }),
    onSuccess: (preview) => {
      remember(preview);
      void notify(`"${nameOf(preview)}" unarchived`);
    },
    ...common,
  });
  const archive = useMutation({
    mutationFn: ({ key }: Preview) =>
      call("POST /pim/preview/{key}/archive", { site, params: { key } }),
    onSuccess: (preview) => {
      remember(preview);
      void notify(`"${nameOf(preview)}" archived`, {
        label: "Undo",
        onClick: () => unarchive.mutate(preview),
      });
    },
    ...common,
  });
  const restore = useMutation({
    mutationFn: ({ key }: Preview) =>
      call("POST /pim/preview/{key}/restore", { site, params: { key } }),
    onSuccess: (preview) => void notify(`"${nameOf(preview)}" restored`),
    ...common,
  });
  const remove = useMutation({
    mutationFn: ({ key }: Preview) => call("DELETE /pim/preview/{key}", { site, params: { key } }),
    onSuccess: (_, preview) =>
      void notify(`"${nameOf(preview)}" deleted`, {
        label: "Undo",
        onClick: () => restore.mutate(preview),
      }),
    onSettled: common.onSettled,
  });
  return { archive, unarchive, remove, restore };
}
