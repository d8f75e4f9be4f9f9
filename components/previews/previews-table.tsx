"use client";

import { MoreHorizontal } from "lucide-react";
import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { Menu } from "@/components/ui/menu/menu";
import { DataTable } from "@/components/ui/table/data-table";
import { Cell, Row } from "@/components/ui/table/table";
import type { Preview } from "@/lib/features/previews/contract";
import { usePreviewActions } from "./preview-actions";
import { counted, PreviewStage } from "./preview-state";

const DeleteDialog = lazyPart(() =>
  import("./delete-dialog").then((module) => module.DeleteDialog),
);

interface PreviewsTableProps {
  previews: Preview[];
  site: string;
  mayWrite: boolean;
}

export function PreviewsTable({ previews, site, mayWrite }: PreviewsTableProps) {
  const [deleting, setDeleting] = useState<Preview>();
  return (
    <>
      <DataTable
        label={t("Previews of {site}", { site })}
        className="[--row:44px]"
        name="previews"
        heads={[t("Title"), t("Key"), t("Enabled"), t("Stage"), t("Problems"), t("Updated")]}
        hasActions={mayWrite}
      >
        <tbody>
          {previews.map((preview) => (
            <PreviewRow
              key={preview.key}
              preview={preview}
              site={site}
              mayWrite={mayWrite}
              onDelete={() => setDeleting(preview)}
            />
          ))}
        </tbody>
      </DataTable>
      <Suspense>
        {deleting ? (
          <DeleteDialog preview={deleting} site={site} onClose={() => setDeleting(undefined)} />
        ) : null}
      </Suspense>
    </>
  );
}

interface PreviewRowProps {
  preview: Preview;
  site: string;
  mayWrite: boolean;
  onDelete: () => void;
}

function PreviewRow({ preview, site, mayWrite, onDelete }: PreviewRowProps) {
  const { view } = usePortal();
  const href = `/t/${view.tenant}/sites/${site}/previews/${encodeURIComponent(preview.key)}`;
  const enabled =
    preview.enabled === undefined ? t("Not set") : preview.enabled ? t("Yes") : t("No");
  return (
    <Row className="relative">
      <Cell className="max-w-72 truncate font-medium" title={preview.title || preview.key}>
        <Link href={href} className="after:absolute after:inset-0 hover:underline">
          {preview.title || preview.key}
        </Link>
      </Cell>
      <Cell className="max-w-56 truncate">
        <code className="text-meta text-muted">{preview.key}</code>
      </Cell>
      <Cell className="text-muted" label={t("Enabled")}>
        {enabled}
      </Cell>
      <Cell card="end">
        <PreviewStage preview={preview} />
      </Cell>
      <Cell label={t("Problems")}>
        {preview.problems.length > 0 ? (
          <Badge tone="warning">{counted(preview.problems.length, "problem")}</Badge>
        ) : (
          <span className="text-muted">{t("None")}</span>
        )}
      </Cell>
      <Cell className="text-muted">
        {rich("{when} by {login}", {
          when: <Instant at={preview.updatedAt} />,
          login: preview.updatedBy.login,
        })}
      </Cell>
      {mayWrite ? (
        <Cell className="relative w-10" card="act">
          <RowMenu preview={preview} site={site} href={href} onDelete={onDelete} />
        </Cell>
      ) : null}
    </Row>
  );
}

function RowMenu({
  preview,
  site,
  href,
  onDelete,
}: Omit<PreviewRowProps, "mayWrite"> & { href: string }) {
  const { archive, unarchive } = usePreviewActions(site);
  const state = preview.archivedAt
    ? {
        key: "unarchive",
        label: t("Unarchive"),
        onSelect: () => unarchive.mutate(preview),
      }
    : { key: "archive", label: t("Archive"), onSelect: () => archive.mutate(preview) };
  return (
    <Menu
      tone="quiet"
      size="icon"
      aria-label={t("Actions for {title}", { title: preview.title || preview.key })}
      groups={[
        {
          key: "open",
          items: [{ key: "history", label: t("History"), href: `${href}/history` }, state],
        },
        {
          key: "end",
          items: [{ key: "delete", label: t("Delete preview"), danger: true, onSelect: onDelete }],
        },
      ]}
    >
      <MoreHorizontal aria-hidden="true" className="size-4" />
    </Menu>
  );
}
