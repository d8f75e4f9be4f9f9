"use client";

import { History, MoreHorizontal } from "lucide-react";
import { useRouter } from "next/navigation";
import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { useSiteName } from "@/components/shell/site";
import { rich } from "@/components/texts/rich";
import { t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Button, buttonLook } from "@/components/ui/button";
import { Instant } from "@/components/ui/instant";
import { lazyPart } from "@/components/ui/lazy-part";
import { Link } from "@/components/ui/link";
import { Menu } from "@/components/ui/menu/menu";
import { Breadcrumb, PageHeader } from "@/components/ui/page-header";
import type { Preview } from "@/lib/features/previews/contract";
import type { EditedDocument } from "./edited-document";
import { usePreviewActions } from "./preview-actions";

const ShareDialog = lazyPart(() => import("./share-dialog").then((module) => module.ShareDialog));

const DeleteDialog = lazyPart(() =>
  import("./delete-dialog").then((module) => module.DeleteDialog),
);

interface EditorHeaderProps {
  site: string;
  preview: Preview;
  edited: EditedDocument;
  mayWrite: boolean;
  maySave: boolean;
  onSave: () => void;
}

const LastSaved = ({ preview: { updatedAt, updatedBy, version } }: { preview: Preview }) => (
  <span>
    {rich("Saved {when} by {login}, version {version}", {
      when: <Instant at={updatedAt} />,
      login: updatedBy.login,
      version,
    })}
  </span>
);

/** The title, last author and actions of a configuration. */
export function EditorHeader({
  site,
  preview,
  edited,
  mayWrite,
  maySave,
  onSave,
}: EditorHeaderProps) {
  const { view } = usePortal();
  const list = `/t/${view.tenant}/sites/${site}/previews`;
  const lead = (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <LastSaved preview={preview} />
      {edited.isDirty ? <Badge tone="warning">{t("Unsaved edits")}</Badge> : null}
    </span>
  );
  const siteName = useSiteName();
  const actions = (
    <div className="flex flex-wrap items-center gap-2">
      <Link
        href={`${list}/${encodeURIComponent(preview.key)}/history`}
        className={buttonLook("quiet")}
      >
        <History aria-hidden="true" className="size-4" />
        {t("History")}
      </Link>
      {edited.isDirty ? <Button onClick={edited.discard}>{t("Discard edits")}</Button> : null}
      {mayWrite ? (
        <>
          <Button tone="primary" busy={edited.save.isPending} disabled={!maySave} onClick={onSave}>
            {t("Save preview")}
          </Button>
          <ShareButton site={site} previewKey={preview.key} />
          <MoreActions site={site} preview={preview} list={list} />
        </>
      ) : null}
    </div>
  );
  return (
    <>
      <Breadcrumb
        above={[{ label: t("Previews of {site}", { site: siteName(site) }), href: list }]}
        here={preview.key}
      />
      <PageHeader title={preview.title || preview.key} lead={lead} actions={actions} />
    </>
  );
}

function ShareButton({ site, previewKey }: { site: string; previewKey: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t("Share")}</Button>
      <Suspense>
        {isOpen ? (
          <ShareDialog site={site} previewKey={previewKey} onClose={() => setIsOpen(false)} />
        ) : null}
      </Suspense>
    </>
  );
}

function MoreActions({ site, preview, list }: { site: string; preview: Preview; list: string }) {
  const { archive, unarchive } = usePreviewActions(site);
  const [isDeleting, setIsDeleting] = useState(false);
  const router = useRouter();
  const state = preview.archivedAt
    ? {
        key: "unarchive",
        label: t("Unarchive"),
        onSelect: () => unarchive.mutate(preview),
      }
    : { key: "archive", label: t("Archive"), onSelect: () => archive.mutate(preview) };
  const remove = {
    key: "delete",
    label: t("Delete preview"),
    danger: true,
    onSelect: () => setIsDeleting(true),
  };
  return (
    <>
      <Menu
        tone="secondary"
        size="icon"
        aria-label={t("More actions")}
        groups={[{ key: "all", items: [state, remove] }]}
      >
        <MoreHorizontal aria-hidden="true" className="size-4" />
      </Menu>
      <Suspense>
        {isDeleting ? (
          <DeleteDialog
            preview={preview}
            site={site}
            onClose={() => setIsDeleting(false)}
            onDeleted={() => router.push(list)}
          />
        ) : null}
      </Suspense>
    </>
  );
}
