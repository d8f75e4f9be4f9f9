"use client";

import { createColumnHelper, tableFeatures } from "@tanstack/react-table";
import Link from "next/link";
import { Instant } from "@/components/ui/instant";
import type { User } from "@/lib/features/users/contract";
import { RoleCount } from "./role-count";
import { UserStatus } from "./user-status";

export const usersFeatures = tableFeatures({});

const helper = createColumnHelper<typeof usersFeatures, User>();

export const columnNames: Record<string, string> = {
  name: "Name",
  login: "Login",
  emailAddress: "E-mail",
  roles: "Roles",
  status: "Status",
  registrationDate: "Registered",
  lastLoginAt: "Last sign-in",
};

/** The columns of the users table; `hrefOf` gives each user's own page. */
export function usersColumns(
  tenant: string,
  roleNames: Record<string, string>,
  hrefOf: (user: User) => string,
) {
  return helper.columns([
    helper.accessor("name", {
      cell: ({ row }) => (
        <Link
          href={hrefOf(row.original)}
          prefetch={false}
          data-row
          title={row.original.name}
          className="rounded-[3px] font-medium after:absolute after:inset-0"
        >
          {row.original.name}
        </Link>
      ),
    }),
    helper.accessor("login", {
      cell: ({ row }) => <code className="text-meta">{row.original.login}</code>,
    }),
    helper.accessor("emailAddress", { cell: ({ row }) => row.original.emailAddress }),
    helper.display({
      id: "roles",
      cell: ({ row }) => <RoleCount roles={row.original.userRoles[tenant]} names={roleNames} />,
    }),
    helper.display({ id: "status", cell: ({ row }) => <UserStatus user={row.original} /> }),
    helper.accessor("registrationDate", {
      cell: ({ row }) => <Instant at={row.original.registrationDate} form="day" />,
    }),
    helper.accessor("lastLoginAt", {
      cell: ({ row }) =>
        row.original.lastLoginAt ? <Instant at={row.original.lastLoginAt} /> : "never",
    }),
  ]);
}
