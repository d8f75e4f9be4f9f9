"use client";

import { Bookmark } from "lucide-react";
import { Suspense, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu } from "@/components/ui/menu/menu";
import type { ViewPage } from "@/lib/features/views/values";
import { type Columns, useViews } from "./current-view";
import type { ViewDialogKind } from "./view-dialogs";
import { groupsOf } from "./view-items";

const ViewDialogs = lazyPart(() => import("./view-dialogs").then((module) => module.ViewDialogs));

interface ViewsMenuProps {
  page: ViewPage;
  /** The columns, on pages where users can choose them. */
  columns?: Columns;
}

/** Saves the filters, order and columns of a list under a name, and applies saved views. */
export function ViewsMenu({ page, columns }: ViewsMenuProps) {
  const portal = usePortal();
  const views = useViews(page, columns);
  const [dialog, setDialog] = useState<ViewDialogKind>();
  const { shown } = views;
  return (
    <>
      <Menu
        tone="quiet"
        className="min-w-0 max-w-32 shrink! sm:max-w-56"
        icon={<Bookmark aria-hidden="true" className="size-4 shrink-0" />}
        groups={groupsOf(views, portal, setDialog)}
      >
        {shown ? <span className="sr-only">{t("View:")} </span> : null}
        <span className="truncate">{shown?.name ?? t("Views")}</span>
      </Menu>
      {dialog ? (
        <Suspense>
          <ViewDialogs
            kind={dialog}
            page={page}
            views={views}
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
