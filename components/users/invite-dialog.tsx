"use client";

import { useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { ActionDialog } from "@/components/ui/action-dialog";
import { Button, buttonLook } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { OneTimeLink } from "./one-time-link";
import { RoleFields } from "./role-fields";

export type NewUserKind = "person" | "service";

interface InviteDialogProps {
  kind: NewUserKind;
  site: string | undefined;
  roleNames: Record<string, string>;
  onClose: () => void;
}

interface Made {
  id: string;
  name: string;
  link?: { url: string; expiresAt: string };
}

const words = {
  person: {
    title: "Invite a user",
    description: "You get a link to share. The person who opens it chooses a password.",
    confirm: "Create invitation",
    failed: "Invitation not created",
  },
  service: {
    title: "Add a service user",
    description:
      "For a program, without a password. You create its API keys; it is not tied to any one person.",
    confirm: "Add service user",
    failed: "Service user not added",
  },
};

/** Makes a person or a program a user; a person's link is shown once. */
export function InviteDialog({ kind, site, roleNames, onClose }: InviteDialogProps) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const [made, setMade] = useState<Made>();
  const make = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "");
    const [name, login, place, role] = [text("name"), text("login"), text("place"), text("role")];
    const roles = (
      place === ""
        ? { roleIds: [role], sites: {} }
        : { roleIds: [], sites: { [place]: { roleIds: [role] } } }
    ) as never;
    if (kind === "service") {
      const user = await call("POST /v1/user/service-users", {
        site,
        body: { login, name, roles },
      });
      setMade({ id: user.id, name: user.name });
    } else {
      const link = await call("POST /v1/user/invitations", {
        site,
        body: { login, name, emailAddress: text("emailAddress"), roles },
      });
      setMade({ id: link.id, name, link });
    }
    void queries.invalidateQueries({ queryKey: [view.tenant, "users"] });
  };
  if (made) return <MadeDialog made={made} tenant={view.tenant} onClose={onClose} />;
  return (
    <ActionDialog {...words[kind]} onConfirm={make} onClose={() => undefined} onCancel={onClose}>
      <Field label="Name">
        {(control) => (
          <Input
            {...control}
            name="name"
            required
            maxLength={128}
            autoComplete="off"
            data-autofocus
          />
        )}
      </Field>
      <Field label="Login" hint="What the user signs in with. Unique in this tenant.">
        {(control) => (
          <Input
            {...control}
            name="login"
            required
            maxLength={128}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      {kind === "person" ? (
        <Field label="E-mail address">
          {(control) => (
            <Input
              {...control}
              name="emailAddress"
              type="email"
              required
              maxLength={254}
              autoComplete="off"
            />
          )}
        </Field>
      ) : null}
      <RoleFields roleNames={roleNames} site={site} />
    </ActionDialog>
  );
}

function MadeDialog({
  made,
  tenant,
  onClose,
}: {
  made: Made;
  tenant: string;
  onClose: () => void;
}) {
  const page = `/t/${tenant}/users/${made.id}`;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={made.link ? `${made.name} is invited` : `${made.name} is added`}
      description={
        made.link
          ? `Share this link only with ${made.name}.`
          : "Generate its first API key on its page."
      }
    >
      {made.link ? <OneTimeLink {...made.link} /> : null}
      <DialogActions>
        <Link href={made.link ? page : `${page}/api-keys`} className={buttonLook("secondary")}>
          {made.link ? "Open user" : "Open its API keys"}
        </Link>
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
