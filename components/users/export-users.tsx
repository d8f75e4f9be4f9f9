"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { csv } from "@/components/ui/csv";
import { downloadText } from "@/components/ui/download-text";
import { notify } from "@/components/ui/toast";
import type { User } from "@/lib/features/users/contract";
import type { ListState } from "./list-state";
import { asQuery } from "./users-query";

const head = [
  "id",
  "login",
  "name",
  "emailAddress",
  "roles",
  "siteRoles",
  "lock",
  "state",
  "registrationDate",
  "lastLoginAt",
];

function lineOf(user: User, tenant: string): string[] {
  const roles = user.userRoles[tenant];
  const siteRoles = Object.entries(roles?.sites ?? {}).flatMap(([site, { roleIds }]) =>
    roleIds.map((id) => `${site}:${id}`),
  );
  const { id, login, name, emailAddress, lock, state = "", registrationDate, lastLoginAt } = user;
  return [
    id,
    login,
    name,
    emailAddress,
    (roles?.roleIds ?? []).join(" "),
    siteRoles.join(" "),
    String(lock),
    state,
    registrationDate,
    lastLoginAt ?? "",
  ];
}

/** Saves users as a file. */
export async function saveUsers(users: User[], tenant: string): Promise<void> {
  downloadText(
    csv([head, ...users.map((user) => lineOf(user, tenant))]),
    `${tenant}-users.csv`,
    "text/csv",
  );
  await notify(`${users.length === 1 ? "1 user" : `${users.length} users`} exported`);
}

/** All users that match the search and the filters, not only the page on screen. */
export function ExportUsers({ state }: { state: ListState }) {
  const { view, call } = usePortal();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      const { limit: _limit, cursor: _cursor, ...query } = asQuery(state);
      const users = await call("GET /v1/user/list", { site: state.site || undefined, query });
      await saveUsers(users, view.tenant);
    } catch (error) {
      await notify(`Export failed. ${error instanceof Error ? error.message : ""}`);
    }
    setBusy(false);
  };
  return (
    <Button
      tone="quiet"
      busy={busy}
      icon={<Download aria-hidden="true" className="size-4" />}
      onClick={() => void save()}
    >
      Export CSV
    </Button>
  );
}
