"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useAskedAction } from "@/components/shell/asked-action";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ListResult } from "@/components/ui/list-result";
import { PageHeader } from "@/components/ui/page-header";
import { CreateDialog } from "./create-dialog";
import { useStreamsQuery } from "./stream-queries";
import { StreamsTable } from "./streams-table";

/** Where the trail is sent. */
export function StreamsPage() {
  const found = useInfiniteQuery(useStreamsQuery());
  const [action, setAction] = useAskedAction(["create"]);
  return (
    <>
      <PageHeader
        title={t("Audit streams")}
        wide
        lead={t(
          "Send every entry of the trail to your SIEM or archive, in the order of the chain.",
        )}
        actions={
          <Button tone="primary" onClick={() => setAction("create")}>
            {t("Create stream")}
          </Button>
        }
      />
      <div className="rounded-card border border-border bg-bg">
        <ListResult
          found={found}
          failed={t("The audit streams could not be loaded")}
          more={t("Show more streams")}
          empty={
            <EmptyState
              title={t("No audit streams yet")}
              purpose={t(
                "A stream delivers each entry within seconds: over HTTPS, to syslog, to storage or to a file.",
              )}
            />
          }
        >
          {(streams) => <StreamsTable streams={streams} />}
        </ListResult>
      </div>
      {action ? <CreateDialog onClose={() => setAction(undefined)} /> : null}
    </>
  );
}
