"use client";

import { msg, t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import { openOverlay } from "./overlay";
import { usePortal } from "./portal";
import { goToTenant } from "./switch-tenant";

const fields = [
  {
    name: "tenant",
    label: msg("Tenant id"),
    hint: msg("Used in URLs and API calls. Lowercase letters, digits and hyphens."),
    maxLength: 63,
  },
  { name: "name", label: msg("Tenant name"), hint: undefined, maxLength: 128 },
  { name: "site", label: msg("First site id"), hint: msg("Such as eu-store."), maxLength: 63 },
] as const;

/** Creates another sandbox for the signed-in user, and opens it. */
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
      title={t("New sandbox")}
      description={t(
        "A tenant for trying things out. You become its administrator and keep your current password.",
      )}
      confirm={t("Create sandbox")}
      failed={t("Sandbox not created")}
      draft="sandbox"
      fields={fields.map(({ name }) => `/${name}`)}
      onConfirm={create}
      onClose={() => openOverlay(undefined)}
    >
      {(errors) =>
        fields.map(({ name, label, hint, ...field }) => (
          <TextField
            key={name}
            {...field}
            label={t(label)}
            hint={hint && t(hint)}
            name={name}
            error={errors[`/${name}`]}
            isCode
            required
          />
        ))
      }
    </ActionDialog>
  );
}
