"use client";

import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { CommentForm, CommentList } from "@/components/previews/comment-list";
import { parseDocument, propertyOf } from "@/components/previews/json-document";
import { LiveFrame } from "@/components/previews/live-frame";
import { t } from "@/components/texts/t";
import { CallFailed, ErrorNotice } from "@/components/ui/error-notice";
import { Skeleton } from "@/components/ui/skeleton";
import { CallError, call, exchangeText } from "@/lib/catalogue/client";
import type { PreviewComment } from "@/lib/features/previews/comments/contract";
import { findAccess, type SharedPlace } from "./share-access";

/** A preview opened by a link without a login. */
export function SharedPreview({ place, origin }: { place: SharedPlace; origin: string }) {
  const [queries] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1 } } }));
  return (
    <QueryClientProvider client={queries}>
      <Shared place={place} origin={origin} />
    </QueryClientProvider>
  );
}

function useShared(place: SharedPlace) {
  const { tenant, site, previewKey: key } = place;
  const access = useQuery({
    queryKey: ["access"],
    queryFn: async () => (await findAccess(place)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const share = access.data?.share;
  const given = { tenant, site, params: { key }, ...(share && { share }) };
  const again = { enabled: share !== undefined, refetchInterval: 10_000 };
  const document = useQuery({
    queryKey: ["document"],
    queryFn: () => exchangeText("GET /pim/preview/{key}/configuration", given),
    ...again,
  });
  const comments = useQuery({
    queryKey: ["comments"],
    queryFn: () => call("GET /pim/preview/{key}/comments", { ...given, query: { limit: "200" } }),
    ...again,
  });
  return { access, document, comments, given };
}

function Shared({ place, origin }: { place: SharedPlace; origin: string }) {
  const { access, document, comments, given } = useShared(place);
  const error = access.error ?? document.error;
  const { root } = useMemo(() => parseDocument(document.data?.text ?? "{}"), [document.data?.text]);
  const title = root && propertyOf(root, "title");
  if (access.data === null)
    return (
      <ErrorNotice
        title={t("This link is incomplete")}
        detail={t("Open the complete link that you were sent, or ask for a new one.")}
      />
    );
  if (error instanceof CallError)
    return <CallFailed title={t("The preview cannot be shown")} error={error} />;
  if (!document.data || !access.data) return <Skeleton className="h-96" />;
  return (
    <>
      <h1 className="text-title">{typeof title === "string" ? title : place.previewKey}</h1>
      <p className="mt-1 mb-4 text-control text-muted">
        {t("A preview of {site}. You can look and comment; nothing here is public yet.", {
          site: place.site,
        })}
      </p>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]">
        <div className="min-w-0 rounded-card border border-border bg-bg">
          <LiveFrame root={root} origin={origin} />
        </div>
        <SharedComments comments={comments.data ?? []} self={access.data.id} given={given} />
      </div>
    </>
  );
}

interface SharedCommentsProps {
  comments: PreviewComment[];
  self: string;
  given: ReturnType<typeof useShared>["given"];
}

function SharedComments({ comments, self, given }: SharedCommentsProps) {
  const queries = useQueryClient();
  const renew = () => queries.invalidateQueries({ queryKey: ["comments"] });
  const of = (id: string) => ({ ...given, params: { ...given.params, id } });
  const add = async (body: { pointer: string | null; text: string }) => {
    await call("POST /pim/preview/{key}/comments", { ...given, body });
    await renew();
  };
  const resolve = ({ id, resolved }: PreviewComment) =>
    call("PATCH /pim/preview/{key}/comments/{id}", { ...of(id), body: { resolved: !resolved } });
  const remove = ({ id }: PreviewComment) =>
    call("DELETE /pim/preview/{key}/comments/{id}", of(id));
  return (
    <section
      aria-label={t("Comments")}
      className="flex flex-col gap-3 rounded-card border border-border bg-bg p-4"
    >
      <h2 className="text-lead font-semibold">{t("Comments")}</h2>
      <CommentForm pointers={[]} onSend={add} />
      <CommentList
        comments={comments}
        self={self}
        mayResolve={false}
        mayDelete={false}
        onResolve={(comment) => void resolve(comment).finally(renew)}
        onDelete={(comment) => void remove(comment).finally(renew)}
      />
    </section>
  );
}
