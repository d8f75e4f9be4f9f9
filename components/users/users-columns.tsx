"use client";

import type { ReactNode } from "react";
import { useSiteName } from "@/components/shell/site";
import { type Message, msg, t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Instant } from "@/components/ui/instant";
import { Link } from "@/components/ui/link";
import type { User } from "@/lib/features/users/contract";
import { LoginText } from "./login-text";
import type { TenantRoles } from "./role-list";
import { UserStatus } from "./user-status";

/** The first role by name and the number of others; the title lists all. */
function RoleCount({
  roles,
  names,
}: {
  roles: TenantRoles | undefined;
  names: Record<string, string>;
}) {
  const nameOf = useSiteName();
  const weight = (id: string) => (id === "tenant.admin" ? 0 : id === "portal.default" ? 2 : 1);
  const atTenant = [...(roles?.roleIds ?? [])].sort((a, b) => weight(a) - weight(b));
  const atSites = Object.entries(roles?.sites ?? {}).flatMap(([site, { roleIds }]) =>
    roleIds.map((id) => ({ site, id })),
  );
  const words = [
    ...atTenant.map((id) => names[id] ?? id),
    ...atSites.map(({ site, id }) =>
      t("{role} at {place}", { role: names[id] ?? id, place: nameOf(site) }),
    ),
  ];
  const [first, ...rest] = words;
  if (!first) return <span className="text-muted">{t("none")}</span>;
  return (
    <span
      title={words.join("\n")}
      className="inline-flex max-w-[min(16rem,100%)] items-center gap-1"
    >
      <Badge tone={atTenant[0] === "tenant.admin" ? "accent" : "neutral"}>
        <span className="truncate">{first}</span>
      </Badge>
      {rest.length > 0 ? (
        <span className="figures text-meta text-muted">+{rest.length}</span>
      ) : null}
    </span>
  );
}

export const columnNames: Record<string, Message> = {
  name: msg("Name"),
  login: msg("Login"),
  emailAddress: msg("E-mail"),
  roles: msg("Roles"),
  status: msg("Status"),
  registrationDate: msg("Registered"),
  lastLoginAt: msg("Last sign-in"),
};

/** The head of a column. */
export function columnName(id: string): string {
  const known = columnNames[id];
  return known ? t(known) : id;
}

/** Limits widths, so that a long value does not push the other columns off the screen. */
export const columnLooks: Record<string, string> = {
  name: "max-w-44 truncate sm:max-w-52",
  login: "max-w-40 truncate text-muted",
  emailAddress: "max-w-48 truncate text-muted min-[90rem]:max-w-64",
  roles: "max-w-52 text-muted",
};

/** The position of a value in the card on a phone, if not on the second line. */
export const cardPlaces: Record<string, "lead" | "end" | "share" | "rest"> = {
  name: "lead",
  login: "share",
  emailAddress: "share",
  roles: "rest",
  status: "end",
};

/** The columns that are hidden first on narrow screens, except in the cards of a phone. */
export const priorityLooks: Record<string, string> = {
  registrationDate: "sm:max-[94rem]:hidden",
};

export interface UserColumn {
  /** A key of `columnNames`; also the name of the sort, if the service sorts by it. */
  id: string;
  cell: (user: User) => ReactNode;
}

/** The columns of the users table; `hrefOf` gives each user's own page. */
export function usersColumns(
  tenant: string,
  roleNames: Record<string, string>,
  hrefOf: (user: User) => string,
): UserColumn[] {
  return [
    { id: "name", cell: (user) => <NameLink user={user} href={hrefOf(user)} /> },
    {
      id: "login",
      cell: (user) => (
        <code className="text-meta">
          <LoginText login={user.login} />
        </code>
      ),
    },
    {
      id: "emailAddress",
      cell: (user) => <span title={user.emailAddress}>{user.emailAddress}</span>,
    },
    {
      id: "roles",
      cell: (user) => <RoleCount roles={user.userRoles[tenant]} names={roleNames} />,
    },
    { id: "status", cell: (user) => <UserStatus user={user} /> },
    {
      id: "registrationDate",
      cell: (user) => <Instant at={user.registrationDate} form="day" />,
    },
    {
      id: "lastLoginAt",
      cell: (user) => (user.lastLoginAt ? <Instant at={user.lastLoginAt} /> : t("never")),
    },
  ];
}

/** The link covers its row. */
function NameLink({ user, href }: { user: User; href: string }) {
  return (
    <Link
      href={href}
      data-row={user.id}
      title={user.name}
      className="rounded-[3px] font-medium after:absolute after:inset-0"
    >
      {user.name}
    </Link>
  );
}
