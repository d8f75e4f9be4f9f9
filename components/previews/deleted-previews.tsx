"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { Instant } from "@/components/ui/instant";
import { usePreviewActions } from "./preview-actions";
import { usePreviewList } from "./preview-queries";

/** What was deleted in the last 30 days, read when somebody asks. */
export function DeletedPreviews({ site }: { site: string }) {
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
