import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { one, portalPage } from "@/app/(portal)/portal-page";
import { siteOnly } from "@/app/(portal)/portal-view";
import { type Message, msg, t } from "@/components/texts/t";
import { UserFrame, type UserTab, type UserTabEntry } from "@/components/users/user-frame";
import { type Caller, permissionScope } from "@/lib/access/caller";
import { findRejections } from "@/lib/features/users/account-access";
import type { User } from "@/lib/features/users/contract";
import { getUser } from "@/lib/features/users/service";
import { ApiError } from "@/lib/protocol/errors";
import type { Permission } from "@/lib/protocol/permissions";

interface TabPlace {
  tab: UserTab;
  label: Message;
  path: string;
  permission: Permission;
  isTenantWide?: true;
}

const places: TabPlace[] = [
  { tab: "profile", label: msg("Profile"), path: "", permission: "user.read" },
  { tab: "access", label: msg("Access"), path: "/access", permission: "user.manage" },
  {
    tab: "api-keys",
    label: msg("API keys"),
    path: "/api-keys",
    permission: "api-key.manage",
    isTenantWide: true,
  },
  {
    tab: "activity",
    label: msg("Activity"),
    path: "/activity",
    permission: "audit.read",
    isTenantWide: true,
  },
];

const mayOpen = (caller: Caller, { permission, isTenantWide }: TabPlace) => {
  const reached = permissionScope(caller, permission);
  return reached === "tenant" || (reached === "site" && !isTenantWide);
};

interface UserPageProps {
  params: Promise<{ tenant: string; id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

interface Shown {
  caller: Caller;
  user: User;
  tenant: string;
  /** The site that limits the caller's authority over users; undefined where it covers the whole tenant. */
  site: string | undefined;
}

/** Renders one of the pages about a user: checks the permission, reads the user and adds the common frame. */
export async function userPage(
  tab: UserTab,
  { params, searchParams }: UserPageProps,
  render: (shown: Shown) => Promise<ReactNode> | ReactNode,
) {
  const { tenant, id } = await params;
  const place = places.find((entry) => entry.tab === tab);
  const path = `/t/${tenant}/users/${id}${place?.path ?? ""}`;
  const needs = {
    tenant,
    path,
    permission: place?.permission ?? "user.read",
    isTenantWide: place?.isTenantWide === true,
    site: one((await searchParams).site),
  } as const;
  return portalPage(needs, async (caller) => {
    const user = await getUser(caller, id).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "user.not-found") notFound();
      throw error;
    });
    const site = siteOnly(caller);
    const tabs: UserTabEntry[] = places
      .filter((entry) => mayOpen(caller, entry))
      .map((entry) => ({
        tab: entry.tab,
        label: t(entry.label),
        href: `/t/${tenant}/users/${id}${entry.path}${site ? `?site=${site}` : ""}`,
      }));
    const mayManage = permissionScope(caller, "user.manage") !== undefined;
    const rejections = mayManage ? await findRejections(caller, id) : undefined;
    const shown = { caller, user, tenant, site };
    return (
      <UserFrame
        user={user}
        tenant={tenant}
        site={site}
        tab={tab}
        tabs={tabs}
        isSelf={user.id === caller.userId}
        rejections={rejections}
      >
        {await render(shown)}
      </UserFrame>
    );
  });
}
