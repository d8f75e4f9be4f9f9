"use client";

import { useQueryClient } from "@tanstack/react-query";
import { MoreHorizontal } from "lucide-react";
import { useRouter } from "next/navigation";
import { Suspense } from "react";
import { useAskedAction } from "@/components/shell/asked-action";
import { usePortal } from "@/components/shell/portal";
import { t, translated } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu } from "@/components/ui/menu/menu";
import type { User } from "@/lib/features/users/contract";
import type { Rejections } from "@/lib/features/users/values";
import { userKeys } from "./query-keys";
import type { UserAction } from "./user-dialogs";

const UserDialog = lazyPart(() => import("./user-dialogs").then((module) => module.UserDialog));

interface UserActionsProps {
  user: User;
  site: string | undefined;
  isSelf: boolean;
  rejections: Rejections;
}

interface Entry {
  key: UserAction;
  label: string;
  danger?: boolean;
  /** The reason why the service would reject it. */
  rejection?: string | undefined;
}

/** The actions for a user in this state, or why they are unavailable; without those that users cannot apply to themselves. */
function entriesFor({ user, site, isSelf, rejections }: UserActionsProps): Entry[] {
  const isActive = user.state !== "deactivated";
  const mayGetLink = user.kind !== "service" && !isSelf;
  const link =
    user.state === "invited"
      ? t("Create a new invitation link")
      : t("Create a password reset link");
  const offered: [boolean, Entry][] = [
    [true, { key: "edit", label: t("Edit name and e-mail"), rejection: rejections.details }],
    [mayGetLink, { key: "link", label: link, rejection: rejections["password-link"] }],
    [
      mayGetLink,
      {
        key: "reset-second-factors",
        label: t("Reset second factors"),
        rejection: rejections["password-link"],
      },
    ],
    [true, { key: "end-sessions", label: t("End all sessions") }],
    [!isSelf && isActive, { key: "deactivate", label: t("Deactivate user"), danger: true }],
    [!isSelf && !isActive && !user.erasedAt, { key: "reactivate", label: t("Reactivate user") }],
    [!isSelf && site === undefined, { key: "export", label: t("Export user’s data") }],
    [
      !isSelf && !isActive && !user.erasedAt && site === undefined,
      { key: "erase", label: t("Erase user"), danger: true },
    ],
  ];
  return offered.flatMap(([isOffered, entry]) => (isOffered ? [entry] : []));
}

/** Refetches the data about users: on this page, in the list and in the palette. */
function useUsersChanged(): () => void {
  const { view } = usePortal();
  const router = useRouter();
  const queries = useQueryClient();
  return () => {
    router.refresh();
    void queries.invalidateQueries({ queryKey: userKeys.all(view.tenant) });
  };
}

export function UserActions(props: UserActionsProps) {
  const { user, site, isSelf, rejections } = props;
  const changed = useUsersChanged();
  const entries = entriesFor(props);
  const lock = user.lock ? "unlock" : "lock";
  const possible = entries.filter(({ rejection }) => rejection === undefined);
  const offered = [...(isSelf ? [] : ([lock] as const)), ...possible.map(({ key }) => key)];
  const [action, setAction] = useAskedAction<UserAction>(offered);
  const items = entries.map(({ rejection, ...entry }) => ({
    ...entry,
    unavailable: rejection && translated(rejection),
    onSelect: () => setAction(entry.key),
  }));
  return (
    <>
      {isSelf ? null : (
        <Button onClick={() => setAction(lock)}>{user.lock ? t("Unlock") : t("Lock")}</Button>
      )}
      <Menu
        tone="secondary"
        size="icon"
        aria-label={t("More actions")}
        icon={<MoreHorizontal aria-hidden="true" className="size-4" />}
        groups={[{ key: "actions", items }]}
      />
      <Suspense>
        {action ? (
          <UserDialog
            action={action}
            user={user}
            site={site}
            addressRejection={rejections["email-address"]}
            onClose={() => setAction(undefined)}
            onDone={changed}
          />
        ) : null}
      </Suspense>
    </>
  );
}
