"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useAskedAction } from "@/components/shell/asked-action";
import { useSiteName } from "@/components/shell/site";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { lazyPart } from "@/components/ui/lazy-part";
import { PageHeader } from "@/components/ui/page-header";
import { ListResult } from "@/components/ui/table/list-result";
import { useReleasesQuery } from "./release-queries";
import { ReleasesTable } from "./releases-table";

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
