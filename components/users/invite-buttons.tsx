"use client";

import { Suspense } from "react";
import { useAskedAction } from "@/components/shell/asked-action";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import type { NewUserKind } from "./invite-dialog";

const InviteDialog = lazyPart(() =>
  import("./invite-dialog").then((module) => module.InviteDialog),
);

/** The two ways to a new user. */
export function InviteButtons({
  site,
  roleNames,
}: {
  site: string | undefined;
  roleNames: Record<string, string>;
}) {
  const [action, setAction] = useAskedAction<NewUserKind | "create">(["create"]);
  const kind = action === "create" ? "person" : action;
  return (
    <div className="flex flex-wrap gap-2" onPointerEnter={InviteDialog.preload}>
      <Button onClick={() => setAction("service")}>{t("Add service user")}</Button>
      <Button tone="primary" onClick={() => setAction("person")}>
        {t("Invite user")}
      </Button>
      <Suspense>
        {kind ? (
          <InviteDialog
            kind={kind}
            site={site}
            roleNames={roleNames}
            onClose={() => setAction(undefined)}
          />
        ) : null}
      </Suspense>
    </div>
  );
}
