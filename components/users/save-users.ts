import { plural } from "@/components/texts/t";
import { csv, downloadText } from "@/components/ui/download-text";
import { notify } from "@/components/ui/toast";
import type { User } from "@/lib/features/users/contract";

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
  await notify(plural(users.length, "1 user exported", "{count} users exported"));
}
