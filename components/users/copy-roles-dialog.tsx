"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/form/field";
import type { User } from "@/lib/features/users/contract";
import { userKeys } from "./query-keys";
import { RoleList, type TenantRoles } from "./role-list";

interface CopyRolesDialogProps {
  /** Whose roles are edited. */
  userId: string;
  site: string | undefined;
  roleNames: Record<string, string>;
  /** Ticks the roles of the other user; nothing is saved yet. */
  onCopy: (roles: TenantRoles, login: string) => void;
  onClose: () => void;
}

function useUserByLogin(login: string, site: string | undefined, userId: string) {
  const { view, call } = usePortal();
  const q = login.trim();
  const { data = [] } = useQuery({
    queryKey: userKeys.find(view.tenant, site, q),
    queryFn: ({ signal }) =>
      call("GET /v1/user/list", { site, query: { q, sort: "match", limit: "6" }, signal }),
    enabled: q.length > 1,
  });
  const others = data.filter(({ id }) => id !== userId);
  const chosen = others.find((user) => user.login.toLowerCase() === q.toLowerCase());
  return { others, chosen, roles: chosen?.userRoles[view.tenant] ?? { roleIds: [], sites: {} } };
}

const Logins = ({ users }: { users: User[] }) => (
  <datalist id="copied-users">
    {users.map((user) => (
      <option key={user.id} value={user.login}>
        {user.name}
      </option>
    ))}
  </datalist>
);

/** Ticks the roles of another user. */
export function CopyRolesDialog(props: CopyRolesDialogProps) {
  const { userId, site, roleNames, onCopy, onClose } = props;
  const [login, setLogin] = useState("");
  const { others, chosen, roles } = useUserByLogin(login, site, userId);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t("Copy roles from a user")}
      description={t(
        "The roles are ticked as that user has them. You see each change before you save.",
      )}
    >
      <form
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen) onCopy(roles, chosen.login);
        }}
        className="flex flex-col gap-4"
      >
        <TextField
          label={t("Login")}
          list="copied-users"
          required
          isCode
          value={login}
          onChange={(event) => setLogin(event.target.value)}
          data-autofocus
        />
        <Logins users={others} />
        {chosen ? (
          <section aria-label={t("Roles of {login}", { login: chosen.login })}>
            <RoleList roles={roles} names={roleNames} />
          </section>
        ) : null}
        <DialogActions>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" tone="primary" disabled={!chosen}>
            {t("Copy roles")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
