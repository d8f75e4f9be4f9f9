"use client";

import { useState } from "react";
import { ActionDialog } from "@/components/ui/action-dialog";
import { Field } from "@/components/ui/field";
import { fieldErrors } from "@/components/ui/field-errors";
import { Input } from "@/components/ui/input";
import { openOverlay } from "./overlay";
import { usePortal } from "./portal";
import { goToTenant } from "./switch-tenant";

const fields = [
  {
    name: "tenant",
    label: "Tenant id",
    hint: "Used in URLs and API calls. Lowercase letters, digits and hyphens.",
    most: 63,
  },
  { name: "name", label: "Tenant name", hint: undefined, most: 128 },
  { name: "site", label: "First site id", hint: "Such as eu-store.", most: 63 },
] as const;

/** A further sandbox for the person who is signed in: made, and gone to. */
export function NewSandboxDialog() {
  const { view, call } = usePortal();
  const [error, setError] = useState<Error>();
  const close = () => openOverlay(undefined);
  const create = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    try {
      await call("POST /v1/user/sandboxes", {
        body: { tenant: text("tenant"), name: text("name"), site: text("site") },
      });
    } catch (thrown) {
      if (thrown instanceof Error) setError(thrown);
      throw thrown;
    }
    await goToTenant(view, text("tenant"));
  };
  const wrong = fieldErrors(error);
  return (
    <ActionDialog
      title="New sandbox"
      description="A tenant to try things in. You will be its administrator, with the password you have."
      confirm="Create sandbox"
      failed="Sandbox not created"
      onConfirm={create}
      onClose={close}
    >
      {fields.map(({ name, label, hint, most }) => (
        <Field key={name} label={label} hint={hint} error={wrong[`/${name}`]}>
          {(control) => (
            <Input
              {...control}
              name={name}
              required
              maxLength={most}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
      ))}
    </ActionDialog>
  );
}
