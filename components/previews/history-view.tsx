"use client";

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { useSiteName } from "@/components/shell/site";
import { rich } from "@/components/texts/rich";
import { type Message, msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { CallFailed } from "@/components/ui/error-notice";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { Loaded } from "@/components/ui/loaded";
import { Breadcrumb, PageHeader } from "@/components/ui/page-header";
import { Skeleton } from "@/components/ui/skeleton";
import { notify } from "@/components/ui/toast";
import type { PreviewRevision } from "@/lib/features/previews/contract";
import { siteKey } from "./keys";
import { usePreviewDocument, usePreviewRevisions } from "./preview-queries";

const origins: Record<PreviewRevision["via"], Message> = {
  portal: msg("in the portal"),
  session: msg("by a session"),
  apiKey: msg("by an API key"),
  bearer: msg("by a bearer token"),
  release: msg("in a release"),
};

interface RevisionListProps {
  revisions: PreviewRevision[];
  chosen: number;
  onChoose: (n: number) => void;
  more: (() => void) | undefined;
}

function RevisionList({ revisions, chosen, onChoose, more }: RevisionListProps) {
  return (
    <div className="rounded-card border border-border bg-bg">
      <ol aria-label={t("Versions, newest first")} className="max-h-[32rem] overflow-y-auto p-1">
        {revisions.map((revision) => (
          <li key={revision.n}>
            <button
              type="button"
              aria-current={revision.n === chosen ? "true" : undefined}
              className={classNames(
                "w-full rounded-control px-3 py-2 text-start -outline-offset-2",
                revision.n === chosen ? "bg-accent-bg" : "hover:bg-subtle",
              )}
              onClick={() => onChoose(revision.n)}
            >
              <span className="font-medium">{t("Version {n}", { n: revision.n })}</span>
              <span className="block text-meta text-muted">
                {rich("{when} by {login}, {origin}", {
                  when: <Instant at={revision.at} />,
                  login: revision.by.login,
                  origin: t(origins[revision.via]),
                })}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {more ? (
        <div className="border-t border-border p-2">
          <Button size="small" tone="quiet" onClick={more}>
            {t("Show earlier versions")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

const RevisionDifference = lazyPart(
  () => import("./revision-difference").then((module) => module.RevisionDifference),
  { kind: "panel" },
);

interface HistoryViewProps {
  site: string;
  previewKey: string;
  mayWrite: boolean;
}

/** Every revision of a configuration: author, time, origin, changes, and a button to restore it. */
export function HistoryView({ site, previewKey, mayWrite }: HistoryViewProps) {
  const { view } = usePortal();
  const { data: document } = useQuery(usePreviewDocument(site, previewKey));
  const found = useInfiniteQuery(usePreviewRevisions(site, previewKey));
  const revisions = found.data?.pages.flatMap((page) => page.revisions) ?? [];
  const newest = revisions[0]?.n ?? 1;
  const [chosen, setChosen] = useState<number>();
  const n = chosen ?? newest;
  const restore = useRestore(site, previewKey, document?.etag);
  const editor = `/t/${view.tenant}/sites/${site}/previews/${encodeURIComponent(previewKey)}`;
  const list = {
    label: t("Previews of {site}", { site: useSiteName()(site) }),
    href: editor.slice(0, editor.lastIndexOf("/")),
  };
  const action =
    mayWrite && !document?.preview.archivedAt && n !== newest ? (
      <Button tone="primary" busy={restore.isPending} onClick={() => restore.mutate(n)}>
        {t("Restore version {n}", { n })}
      </Button>
    ) : null;
  return (
    <>
      <Breadcrumb above={[list, { label: previewKey, href: editor }]} here={t("History")} />
      <PageHeader
        title={t("History of {title}", { title: document?.preview.title || previewKey })}
        actions={action}
      />
      {restore.error ? (
        <div className="mb-4">
          <CallFailed title={t("The version was not restored")} error={restore.error} />
        </div>
      ) : null}
      <Loaded found={found} failed={t("The history could not be loaded")} skeleton="h-[32rem]">
        {() => (
          <div className="grid items-start gap-4 lg:grid-cols-[18rem_1fr]">
            <RevisionList
              revisions={revisions}
              chosen={n}
              onChoose={setChosen}
              more={found.hasNextPage ? () => void found.fetchNextPage() : undefined}
            />
            <Suspense fallback={<Skeleton className="h-[32rem]" />}>
              <RevisionDifference site={site} previewKey={previewKey} n={n} newest={newest} />
            </Suspense>
          </div>
        )}
      </Loaded>
    </>
  );
}

function useRestore(site: string, key: string, etag: string | undefined) {
  const { view, exchangeText } = usePortal();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (n: number) =>
      exchangeText("POST /pim/preview/{key}/revisions/{n}/restore", {
        site,
        params: { key, n: String(n) },
        ...(etag ? { etag } : {}),
      }),
    onSuccess: (_, n) => void notify(t("Version {n} restored as the newest", { n })),
    onSettled: () => queries.invalidateQueries({ queryKey: siteKey(view.tenant, site) }),
  });
}
