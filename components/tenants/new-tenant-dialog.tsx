"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { msg, t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import { OneTimeLink } from "@/components/users/one-time-link";
import type { Answer } from "@/lib/catalogue/client";

const fields = [
  { name: "id", label: msg("Tenant id"), pointer: "/id" },
  { name: "name", label: msg("Tenant name"), pointer: "/name" },
  { name: "adminLogin", label: msg("Administrator's login"), pointer: "/admin/login" },
  { name: "adminName", label: msg("Administrator's name"), pointer: "/admin/name" },
  {
    name: "adminEmail",
    label: msg("Administrator's e-mail address"),
    pointer: "/admin/emailAddress",
  },
] as const;

type NewTenant = Answer<"POST /v1/tenants">;

function bodyOf(form: FormData) {
  const admin = {
    login: textOf(form, "adminLogin"),
    name: textOf(form, "adminName"),
    emailAddress: textOf(form, "adminEmail"),
  };
  return { id: textOf(form, "id"), name: textOf(form, "name"), kind: "production", admin } as const;
}

interface NewTenantDialogProps {
  onCreated: () => void;
  onClose: () => void;
}

/** Creates a tenant and shows, once, the link for its administrator. */
export function NewTenantDialog({ onCreated, onClose }: NewTenantDialogProps) {
  const { call } = usePortal();
  const [created, setCreated] = useState<NewTenant>();
  if (created) return <AdministratorLink tenant={created} onClose={onClose} />;
  const create = async (form: FormData) => {
    setCreated(await call("POST /v1/tenants", { body: bodyOf(form) }));
    onCreated();
  };
  return (
    <ActionDialog
      title={t("Create a tenant")}
      description={t("For production. You get a link for its administrator to set a password.")}
      confirm={t("Create tenant")}
      failed={t("Tenant not created")}
      draft="tenant"
      fields={fields.map(({ pointer }) => pointer)}
      onConfirm={create}
      onClose={() => undefined}
      onCancel={onClose}
    >
      {(errors) =>
        fields.map(({ name, label, pointer }) => (
          <TextField
            key={name}
            label={t(label)}
            name={name}
            error={errors[pointer]}
            type={name === "adminEmail" ? "email" : "text"}
            required
            autoComplete="off"
            spellCheck={false}
          />
        ))
      }
    </ActionDialog>
  );
}

function AdministratorLink({ tenant, onClose }: { tenant: NewTenant; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      mayLeave={() => false}
      title={t("Tenant {id} created", { id: tenant.id })}
      description={t("Share this link only with its administrator.")}
    >
      <OneTimeLink url={tenant.admin.url} expiresAt={tenant.admin.expiresAt} />
      <DialogActions>
        <Button tone="primary" onClick={onClose}>
          {t("Done")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
