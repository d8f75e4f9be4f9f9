"use client";

import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useAskedAction } from "@/components/shell/asked-action";
import { usePortal } from "@/components/shell/portal";
import { useSiteName } from "@/components/shell/site";
import { asViewCall } from "@/components/shell/view-call";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { lazyPart } from "@/components/ui/lazy-part";
import { PageHeader } from "@/components/ui/page-header";
import { ListResult } from "@/components/ui/table/list-result";
import { releasesKey } from "./query-keys";
import { ReleasesTable } from "./releases-table";

/** The releases of a site, page by page; polled, because scheduled ones are published automatically. */
function useReleasesQuery(site: string) {
  const { view, exchange } = usePortal();
  return infiniteQueryOptions({
    queryKey: releasesKey(view.tenant, site),
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: "50", cursor: pageParam };
      const { answer, next } = await exchange("GET /pim/releases", { site, query, signal });
      return { items: answer, next: next?.get("cursor") ?? null };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    refetchInterval: 10_000,
    meta: asViewCall({ operation: "GET /pim/releases", site, needsSession: true }),
  });
}

const NewReleaseDialog = lazyPart(() =>
  import("./new-release-dialog").then((module) => module.NewReleaseDialog),
);

/** Preview configurations of one site that change their stage together. */
export function ReleasesPage({ site }: { site: string }) {
  const found = useInfiniteQuery(useReleasesQuery(site));
  const siteName = useSiteName()(site);
  const [action, setAction] = useAskedAction(["create"]);
  const create = (
    <Button tone="primary" onClick={() => setAction("create")}>
      {t("Create release")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("Releases")}
        wide
        lead={t("Previews of {site} that change their stage together: all of them, or none.", {
          site: siteName,
        })}
        actions={create}
      />
      <div className="rounded-card border border-border bg-bg">
        <ListResult
          found={found}
          failed={t("The releases could not be loaded")}
          more={t("Show more releases")}
          empty={
            <EmptyState
              title={t("No releases yet")}
              purpose={t(
                "A release publishes several previews at once, now or at a time that you choose.",
              )}
            />
          }
        >
          {(releases) => <ReleasesTable releases={releases} site={site} />}
        </ListResult>
      </div>
      <Suspense>
        {action ? <NewReleaseDialog site={site} onClose={() => setAction(undefined)} /> : null}
      </Suspense>
    </>
  );
}
