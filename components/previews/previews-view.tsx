"use client";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import { useAddress } from "@/components/shell/address";
import { useAskedAction } from "@/components/shell/asked-action";
import { curlByKey } from "@/components/shell/copied-call";
import { usePortal } from "@/components/shell/portal";
import { useSiteName } from "@/components/shell/site";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";
import { CallFailed } from "@/components/ui/error-notice";
import { holdsWords, SearchBar } from "@/components/ui/form/search-input";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { Loaded } from "@/components/ui/loaded";
import { PageHeader } from "@/components/ui/page-header";
import { Few } from "@/components/ui/table/few";
import type { Preview } from "@/lib/features/previews/contract";
import { usePreviewActions } from "./preview-actions";
import { usePreviewList } from "./preview-queries";
import { PreviewsTable } from "./previews-table";

/** The previews deleted in the last 30 days, fetched on a click. */
function DeletedPreviews({ site }: { site: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className="mt-4">
      <Button size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {t("Recently deleted")}
      </Button>
      {isOpen ? <DeletedList site={site} /> : null}
    </section>
  );
}

function DeletedList({ site }: { site: string }) {
  const { data, error } = useQuery(usePreviewList(site, "deleted"));
  const { restore } = usePreviewActions(site);
  if (error)
    return <CallFailed title={t("The deleted previews could not be loaded")} error={error} />;
  if (!data) return null;
  if (data.length === 0)
    return <p className="px-2 py-2 text-muted">{t("Nothing was deleted in the last 30 days.")}</p>;
  return (
    <ul className="mt-2 divide-y divide-border rounded-card border border-border">
      {data.map((preview) => (
        <li
          key={`${preview.key} ${preview.deletedAt}`}
          className="flex items-center gap-3 px-4 py-2"
        >
          <span className="min-w-0 flex-1 truncate">
            {preview.title || preview.key}{" "}
            <code className="text-meta text-muted">{preview.key}</code>
          </span>
          <span className="text-muted">
            {rich("deleted {when}", {
              when: preview.deletedAt ? <Instant at={preview.deletedAt} /> : null,
            })}
          </span>
          <Button size="small" busy={restore.isPending} onClick={() => restore.mutate(preview)}>
            {t("Restore")}
          </Button>
        </li>
      ))}
    </ul>
  );
}

const NewPreviewDialog = lazyPart(() =>
  import("./new-preview-dialog").then((module) => module.NewPreviewDialog),
);

interface PreviewsViewProps {
  site: string;
  mayWrite: boolean;
}

/** The preview configurations of one site. */
export function PreviewsView({ site, mayWrite }: PreviewsViewProps) {
  const siteName = useSiteName()(site);
  const [action, setAction] = useAskedAction<"create">(mayWrite ? ["create"] : []);
  const create = mayWrite ? (
    <Button tone="primary" onClick={() => setAction("create")}>
      {t("Create preview")}
    </Button>
  ) : null;
  return (
    <>
      <PageHeader
        title={t("Previews")}
        wide
        lead={t("What {site} will show, before its shoppers see it.", { site: siteName })}
        actions={create}
      />
      <div className="rounded-card border border-border bg-bg">
        <FoundPreviews site={site} mayWrite={mayWrite} />
      </div>
      {mayWrite ? <DeletedPreviews site={site} /> : null}
      <Suspense>
        {action ? <NewPreviewDialog site={site} onClose={() => setAction(undefined)} /> : null}
      </Suspense>
    </>
  );
}

function FoundPreviews({ site, mayWrite }: PreviewsViewProps): ReactNode {
  return (
    <Loaded
      found={useQuery(usePreviewList(site))}
      failed={t("The previews could not be loaded")}
      skeleton="m-3 h-40"
      flush
    >
      {(previews) =>
        previews.length > 0 ? (
          <SearchedPreviews {...{ previews, site, mayWrite }} />
        ) : (
          <NoPreviews site={site} />
        )
      }
    </Loaded>
  );
}

function SearchedPreviews({ previews, ...rest }: PreviewsViewProps & { previews: Preview[] }) {
  const [{ q }, setAddress] = useAddress(["q"]);
  const matching = previews.filter(({ key, title }) => holdsWords(`${key} ${title}`, q));
  return (
    <>
      <SearchBar
        label={t("Search previews")}
        placeholder={t("Title or key")}
        value={q}
        onChange={(next) => setAddress({ q: next })}
      />
      {matching.length > 0 ? (
        <Few items={matching}>{(shown) => <PreviewsTable previews={shown} {...rest} />}</Few>
      ) : (
        <p className="p-4 text-muted">{t("No preview matches.")}</p>
      )}
    </>
  );
}

function NoPreviews({ site }: { site: string }) {
  const { view } = usePortal();
  return (
    <EmptyState
      title={t("No previews yet")}
      purpose={t(
        "A preview configuration defines what a page shows and lets you view it before shoppers do.",
      )}
    >
      <CodeBlock
        label={t("the call that creates one")}
        code={curlByKey(view, "/pim/preview", {
          site,
          headers: [["Content-Type", "application/json"]],
          data: '{"key":"home","configuration":{"title":"Home page"}}',
        })}
      />
    </EmptyState>
  );
}
