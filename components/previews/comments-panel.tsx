"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { errorText } from "@/components/ui/error-notice";
import { Loaded } from "@/components/ui/loaded";
import { notify } from "@/components/ui/toast";
import type { PreviewComment } from "@/lib/features/previews/comments/contract";
import { CommentForm, CommentList } from "./comment-list";
import { commentsKey } from "./keys";

function useComments(site: string, key: string) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const queryKey = commentsKey(view.tenant, site, key);
  const found = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      call("GET /pim/preview/{key}/comments", {
        site,
        params: { key },
        query: { limit: "200" },
        signal,
      }),
    refetchInterval: 15_000,
  });
  const renew = () => queries.invalidateQueries({ queryKey });
  const common = { onError: (error: Error) => void notify(errorText(error)), onSettled: renew };
  const resolve = useMutation({
    mutationFn: ({ id, resolved }: PreviewComment) =>
      call("PATCH /pim/preview/{key}/comments/{id}", {
        site,
        params: { key, id },
        body: { resolved: !resolved },
      }),
    ...common,
  });
  const remove = useMutation({
    mutationFn: ({ id }: PreviewComment) =>
      call("DELETE /pim/preview/{key}/comments/{id}", { site, params: { key, id } }),
    ...common,
  });
  const add = async (body: { pointer: string | null; text: string }) => {
    await call("POST /pim/preview/{key}/comments", { site, params: { key }, body });
    await renew();
  };
  return { found, resolve, remove, add };
}

interface CommentsPanelProps {
  site: string;
  previewKey: string;
  mayWrite: boolean;
  /** The JSON Pointers that a comment can be about. */
  pointers: readonly string[];
  /** The pointer that was clicked last. */
  place: string | undefined;
  onPlace: (pointer: string) => void;
}

/** The comments on the preview, and a field to answer. */
export function CommentsPanel(props: CommentsPanelProps) {
  const { site, previewKey, mayWrite, pointers, place, onPlace } = props;
  const { view } = usePortal();
  const { found, resolve, remove, add } = useComments(site, previewKey);
  return (
    <section
      aria-label={t("Comments")}
      className="mt-4 flex flex-col gap-3 rounded-card border border-border bg-bg p-4"
    >
      <h2 className="text-lead font-semibold">{t("Comments")}</h2>
      <CommentForm pointers={pointers} place={place} onSend={add} />
      <Loaded found={found} failed={t("The comments could not be loaded")} skeleton="h-16">
        {(comments) => (
          <CommentList
            comments={comments}
            self={view.user.id}
            mayResolve
            mayDelete={mayWrite}
            onPlace={onPlace}
            onResolve={(comment) => resolve.mutate(comment)}
            onDelete={(comment) => remove.mutate(comment)}
          />
        )}
      </Loaded>
    </section>
  );
}
