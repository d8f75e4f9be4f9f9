"use client";

import { MoreHorizontal } from "lucide-react";
import { useRouter } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import { Button } from "@/components/ui/button";
import { Menu, type MenuItem } from "@/components/ui/menu";
import type { User } from "@/lib/features/users/contract";
import type { UserAction } from "./user-dialogs";

const UserDialog = lazy(() =>
  import("./user-dialogs").then((module) => ({ default: module.UserDialog })),
);

interface UserActionsProps {
  user: User;
  site: string | undefined;
  isSelf: boolean;
}

/** What a manager may do with a user; what cannot be done to oneself is not offered. */
export function UserActions({ user, site, isSelf }: UserActionsProps) {
  const router = useRouter();
  const [action, setAction] = useState<UserAction>();
  const item = (key: UserAction, label: string, danger = false): MenuItem => ({
    key,
    label,
    danger,
    onSelect: () => setAction(key),
  });
  const active = user.state !== "deactivated";
  const items = [
    item("edit", "Edit name and e-mail"),
    ...(user.kind === "service" || isSelf
      ? []
      : [
          item(
            "link",
            user.state === "invited"
              ? "Create a new invitation link"
              : "Create a password reset link",
          ),
        ]),
    item("end-sessions", "End all sessions"),
    ...(isSelf
      ? []
      : [
          ...(active ? [item("deactivate", "Deactivate user", true)] : []),
          ...(active || user.erasedAt ? [] : [item("reactivate", "Reactivate user")]),
          ...(active || user.erasedAt || site !== undefined
            ? []
            : [item("erase", "Erase user", true)]),
        ]),
  ];
  return (
    <>
      {isSelf ? null : (
        <Button onClick={() => setAction(user.lock ? "unlock" : "lock")}>
          {user.lock ? "Unlock" : "Lock"}
        </Button>
      )}
      <Menu
        tone="secondary"
        size="icon"
        aria-label="More actions"
        icon={<MoreHorizontal aria-hidden="true" className="size-4" />}
        groups={[{ key: "actions", items }]}
      />
      <Suspense>
        {action ? (
          <UserDialog
            action={action}
            user={user}
            site={site}
            onClose={() => setAction(undefined)}
            onDone={() => router.refresh()}
          />
        ) : null}
      </Suspense>
    </>
  );
}
