"use client";

import { ActionDialog } from "@/components/ui/action-dialog";
import { TextField } from "@/components/ui/text-field";
import { textOf } from "@/components/ui/use-action";
import { openOverlay } from "./overlay";
import { usePortal } from "./portal";
import { goToTenant } from "./switch-tenant";

const fields = [
  {
    name: "tenant",
    label: "Tenant id",
    hint: "Used in URLs and API calls. Lowercase letters, digits and hyphens.",
    maxLength: 63,
  },
  { name: "name", label: "Tenant name", hint: undefined, maxLength: 128 },
  { name: "site", label: "First site id", hint: "Such as eu-store.", maxLength: 63 },
] as const;

/** Creates a further sandbox for the person who is signed in, and opens it. */
export function NewSandboxDialog() {
  const { view, call } = usePortal();
  const create = async (form: FormData) => {
    const tenant = textOf(form, "tenant");
    const body = { tenant, name: textOf(form, "name"), site: textOf(form, "site") };
    await call("POST /v1/user/sandboxes", { body });
    await goToTenant(view, tenant);
  };
  return (
    <ActionDialog
      title="New sandbox"
      description="A tenant for trying things out. You become its administrator and keep your current password."
      confirm="Create sandbox"
      failed="Sandbox not created"
      draft="sandbox"
      fields={fields.map(({ name }) => `/${name}`)}
      onConfirm={create}
      onClose={() => openOverlay(undefined)}
    >
      {(errors) =>
        fields.map(({ name, ...field }) => (
          <TextField key={name} {...field} name={name} error={errors[`/${name}`]} isCode required />
        ))
      }
    </ActionDialog>
  );
}
