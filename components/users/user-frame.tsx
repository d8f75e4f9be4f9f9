"use client";

import type { ReactNode } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { buttonLook } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Link } from "@/components/ui/link";
import { Breadcrumb, PageHeader } from "@/components/ui/page-header";
import { TabLabel } from "@/components/ui/tab-label";
import type { User } from "@/lib/features/users/contract";
import type { Rejections } from "@/lib/features/users/values";
import { UserActions } from "./user-actions";
import { UserStatus } from "./user-status";

export type UserTab = "profile" | "access" | "api-keys" | "activity";

export interface UserTabEntry {
  tab: UserTab;
  label: string;
  href: string;
}

interface UserFrameProps {
  user: User;
  tenant: string;
  /** The site of the caller's permission to manage users. */
  site: string | undefined;
  tab: UserTab;
  /** The tabs that the caller may open. */
  tabs: UserTabEntry[];
  isSelf: boolean;
  /** The actions that the service would reject for the caller; undefined when the caller manages no users. */
  rejections: Rejections | undefined;
  children: ReactNode;
}

/** The frame of every page about one user. */
export function UserFrame(props: UserFrameProps) {
  const { user, tenant, site, tab, tabs, isSelf, rejections, children } = props;
  const { tenantName } = usePortal().view;
  return (
    <>
      <Breadcrumb above={[{ label: t("Users"), href: `/t/${tenant}/users` }]} here={user.name} />
      <PageHeader
        title={user.name}
        lead={
          user.kind === "service"
            ? t("{login} in {tenant}, a service user", {
                login: user.login,
                tenant: tenantName,
              })
            : t("{login} in {tenant}", { login: user.login, tenant: tenantName })
        }
        actions={
          <div className="flex flex-wrap items-center gap-2">
            <UserStatus user={user} />
            {isSelf ? (
              <Link href={`/t/${tenant}/me`} className={buttonLook("secondary")}>
                {t("Open your details")}
              </Link>
            ) : null}
            {rejections ? <UserActions {...{ user, site, isSelf, rejections }} /> : null}
          </div>
        }
      />
      <Tabs tab={tab} tabs={tabs} />
      {children}
    </>
  );
}

function Tabs({ tab, tabs }: Pick<UserFrameProps, "tab" | "tabs">) {
  return (
    <nav
      aria-label={t("User")}
      className="mb-6 overflow-x-auto border-b border-border [scrollbar-width:none]"
    >
      <ul className="flex h-9 items-stretch gap-1">
        {tabs.map((entry) => (
          <li key={entry.tab} className="flex">
            <Link
              href={entry.href}
              aria-current={entry.tab === tab ? "page" : undefined}
              className={classNames(
                "relative flex items-center whitespace-nowrap px-2.5 text-body -outline-offset-4",
                entry.tab === tab
                  ? "font-medium after:absolute after:inset-x-2.5 after:bottom-0 after:h-0.5 after:bg-text"
                  : "text-muted hover:text-text",
              )}
            >
              <TabLabel>{entry.label}</TabLabel>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
