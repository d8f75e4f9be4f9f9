"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button, buttonLook } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { TextField } from "@/components/ui/form/field";
import { Link } from "@/components/ui/link";
import { OneTimeLink } from "./one-time-link";
import { userKeys } from "./query-keys";
import { RoleFields } from "./role-fields";
import type { TenantRoles } from "./role-list";

export type NewUserKind = "person" | "service";

interface InviteDialogProps {
  kind: NewUserKind;
  site: string | undefined;
  roleNames: Record<string, string>;
  onClose: () => void;
}

interface CreatedUser {
  id: string;
  name: string;
  link?: { url: string; expiresAt: string };
}

const words = () => ({
  person: {
    title: t("Invite a user"),
    description: t("You get a link to share. The person who opens it chooses a password."),
    confirm: t("Create invitation"),
    failed: t("Invitation not created"),
  },
  service: {
    title: t("Add a service user"),
    description: t("For programs. It has no password, and you create its API keys."),
    confirm: t("Add service user"),
    failed: t("Service user not added"),
  },
});

/** Creates a user or a service user; a user's link is shown once. */
export function InviteDialog({ kind, site, roleNames, onClose }: InviteDialogProps) {
  const { view } = usePortal();
  const [created, setCreated] = useState<CreatedUser>();
  const create = useCreateUser(kind, site);
  if (created) return <CreatedDialog created={created} tenant={view.tenant} onClose={onClose} />;
  return (
    <ActionDialog
      {...words()[kind]}
      draft={`invite-${kind}`}
      onConfirm={async (form) => setCreated(await create(form))}
      onClose={() => undefined}
      onCancel={onClose}
    >
      <TextField
        label={t("Name")}
        name="name"
        required
        maxLength={128}
        autoComplete="off"
        data-autofocus
      />
      <TextField
        label={t("Login")}
        hint={t("What the user signs in with. Unique in this tenant.")}
        name="login"
        required
        maxLength={128}
        isCode
      />
      {kind === "person" ? (
        <TextField
          label={t("E-mail address")}
          name="emailAddress"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
        />
      ) : null}
      <RoleFields roleNames={roleNames} site={site} />
    </ActionDialog>
  );
}

function rolesOf(place: string, role: string): TenantRoles {
  return place === ""
    ? { roleIds: [role], sites: {} }
    : { roleIds: [], sites: { [place]: { roleIds: [role] } } };
}

function useCreateUser(kind: NewUserKind, site: string | undefined) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  return async (form: FormData): Promise<CreatedUser> => {
    const text = (name: string) => String(form.get(name) ?? "");
    const [name, login] = [text("name"), text("login")];
    const roles = rolesOf(text("place"), text("role")) as never;
    const create = async () => {
      if (kind === "service")
        return call("POST /v1/user/service-users", { site, body: { login, name, roles } });
      const body = { login, name, emailAddress: text("emailAddress"), roles };
      const link = await call("POST /v1/user/invitations", { site, body });
      return { id: link.id, name, link };
    };
    const created = await create();
    void queries.invalidateQueries({ queryKey: userKeys.all(view.tenant) });
    return created;
  };
}

function CreatedDialog({
  created,
  tenant,
  onClose,
}: {
  created: CreatedUser;
  tenant: string;
  onClose: () => void;
}) {
  const page = `/t/${tenant}/users/${created.id}`;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      mayLeave={() => created.link === undefined}
      title={
        created.link
          ? t("{name} is invited", { name: created.name })
          : t("{name} is added", { name: created.name })
      }
      description={
        created.link
          ? t("Share this link only with {name}.", { name: created.name })
          : t("Next, generate its first API key.")
      }
    >
      {created.link ? <OneTimeLink {...created.link} /> : null}
      <DialogActions>
        <Link href={created.link ? page : `${page}/api-keys`} className={buttonLook("secondary")}>
          {created.link ? t("Open user") : t("Open its API keys")}
        </Link>
        <Button tone="primary" onClick={onClose}>
          {t("Done")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
