"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { ActionDialog } from "@/components/ui/action-dialog";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { fieldErrors } from "@/components/ui/field-errors";
import { Input } from "@/components/ui/input";
import { OneTimeLink } from "@/components/users/one-time-link";
import type { Answer } from "@/lib/catalogue/client";

const fields = [
  { name: "id", label: "Tenant id", pointer: "/id" },
  { name: "name", label: "Tenant name", pointer: "/name" },
  { name: "adminLogin", label: "Administrator's login", pointer: "/admin/login" },
  { name: "adminName", label: "Administrator's name", pointer: "/admin/name" },
  { name: "adminEmail", label: "Administrator's e-mail address", pointer: "/admin/emailAddress" },
] as const;

/** Makes a tenant and shows, once, the link by which its administrator comes in. */
export function NewTenantDialog({ onMade, onClose }: { onMade: () => void; onClose: () => void }) {
  const { call } = usePortal();
  const [made, setMade] = useState<Answer<"POST /v1/tenants">>();
  const [error, setError] = useState<Error>();
  const create = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const admin = {
      login: text("adminLogin"),
      name: text("adminName"),
      emailAddress: text("adminEmail"),
    };
    try {
      setMade(
        await call("POST /v1/tenants", {
          body: { id: text("id"), name: text("name"), kind: "production", admin },
        }),
      );
      onMade();
    } catch (thrown) {
      if (thrown instanceof Error) setError(thrown);
      throw thrown;
    }
  };
  if (made) {
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title={`Tenant ${made.id} created`}
        description="Share this link only with its administrator."
      >
        <OneTimeLink url={made.admin.url} expiresAt={made.admin.expiresAt} />
        <DialogActions>
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  const wrong = fieldErrors(error);
  return (
    <ActionDialog
      title="Create a tenant"
      description="For production. You get a link for its administrator to set a password."
      confirm="Create tenant"
      failed="Tenant not created"
      onConfirm={create}
      onClose={() => undefined}
      onCancel={onClose}
    >
      {fields.map(({ name, label, pointer }) => (
        <Field key={name} label={label} error={wrong[pointer]}>
          {(control) => (
            <Input
              {...control}
              name={name}
              type={name === "adminEmail" ? "email" : "text"}
              required
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
      ))}
    </ActionDialog>
  );
}
