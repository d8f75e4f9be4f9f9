"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { errorText } from "@/components/ui/error-notice";
import { notify } from "@/components/ui/toast";
import type { Preview } from "@/lib/features/previews/contract";
import { documentKey, type PreviewDocument, siteKey } from "./keys";

const nameOf = ({ title, key }: Preview) => title || key;

/** Archive and delete with their Undo. Each shows a message with Undo. */
export function usePreviewActions(site: string) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const common = {
    onError: (error: Error) => void notify(errorText(error)),
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
      void notify(t('"{nameOf}" unarchived', { nameOf: nameOf(preview) }));
    },
    ...common,
  });
  const archive = useMutation({
    mutationFn: ({ key }: Preview) =>
      call("POST /pim/preview/{key}/archive", { site, params: { key } }),
    onSuccess: (preview) => {
      remember(preview);
      void notify(t('"{nameOf}" archived', { nameOf: nameOf(preview) }), {
        label: t("Undo"),
        onClick: () => unarchive.mutate(preview),
      });
    },
    ...common,
  });
  const restore = useMutation({
    mutationFn: ({ key }: Preview) =>
      call("POST /pim/preview/{key}/restore", { site, params: { key } }),
    onSuccess: (preview) => void notify(t('"{nameOf}" restored', { nameOf: nameOf(preview) })),
    ...common,
  });
  const remove = useMutation({
    mutationFn: ({ key }: Preview) => call("DELETE /pim/preview/{key}", { site, params: { key } }),
    onSuccess: (_, preview) =>
      void notify(t('"{nameOf}" deleted', { nameOf: nameOf(preview) }), {
        label: t("Undo"),
        onClick: () => restore.mutate(preview),
      }),
    onSettled: common.onSettled,
  });
  return { archive, unarchive, remove, restore };
}
