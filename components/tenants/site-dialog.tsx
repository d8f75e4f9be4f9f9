"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { controlLook, Field, TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import type { Site } from "@/lib/features/tenants/sites-contract";

interface SiteDialogProps {
  /** Absent for a new one. */
  site: Site | undefined;
  onChanged: () => Promise<unknown>;
  onClose: () => void;
}

const lines = (text: FormDataEntryValue | null) =>
  String(text ?? "")
    .split(/[\s,]+/)
    .filter(Boolean);

function settingsOf(form: FormData) {
  return {
    name: String(form.get("name") ?? ""),
    allowedOrigins: lines(form.get("allowedOrigins")),
    locales: lines(form.get("locales")),
    currency: textOf(form, "currency").toUpperCase() || null,
  };
}

/** Creates a site or changes one. */
export function SiteDialog({ site, onChanged, onClose }: SiteDialogProps) {
  const { call } = usePortal();
  const save = async (form: FormData) => {
    const settings = settingsOf(form);
    if (site)
      await call("PATCH /v1/tenant/sites/{id}", { params: { id: site.id }, body: settings });
    else await call("POST /v1/tenant/sites", { body: { id: textOf(form, "id"), ...settings } });
    await onChanged();
  };
  return (
    <ActionDialog
      title={site ? t("Edit the site {id}", { id: site.id }) : t("Add a site")}
      confirm={site ? t("Save site") : t("Add site")}
      failed={t("The site was not saved")}
      draft={site ? `site-${site.id}` : "site"}
      fields={["/id", "/name", "/allowedOrigins", "/locales", "/currency"]}
      onConfirm={save}
      onClose={onClose}
    >
      {(errors) => <SiteFields site={site} errors={errors} />}
    </ActionDialog>
  );
}

interface SiteFieldsProps {
  site: Site | undefined;
  errors: Record<string, string>;
}

function SiteFields({ site, errors }: SiteFieldsProps) {
  return (
    <>
      {site ? null : (
        <TextField
          label={t("Site id")}
          hint={t("Lowercase letters, digits and hyphens. It cannot be changed later.")}
          error={errors["/id"]}
          name="id"
          required
          maxLength={63}
          isCode
        />
      )}
      <TextField
        label={t("Site name")}
        error={errors["/name"]}
        name="name"
        defaultValue={site?.name}
        required
        maxLength={128}
        autoComplete="off"
      />
      <OriginsField site={site} errors={errors} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t("Locales")}
          hint={t("Such as de-DE, en-GB")}
          error={errors["/locales"]}
          name="locales"
          defaultValue={site?.locales.join(", ")}
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          label={t("Currency")}
          hint={t("ISO 4217, such as EUR")}
          error={errors["/currency"]}
          name="currency"
          defaultValue={site?.currency ?? ""}
          maxLength={3}
          autoComplete="off"
        />
      </div>
    </>
  );
}

function OriginsField({ site, errors }: SiteFieldsProps) {
  return (
    <Field
      label={t("Allowed origins")}
      hint={t(
        "One per line, such as https://shop.example: pages that may call the consumer interface.",
      )}
      error={errors["/allowedOrigins"]}
    >
      {(control) => (
        <textarea
          {...control}
          name="allowedOrigins"
          rows={3}
          defaultValue={site?.allowedOrigins.join("\n")}
          spellCheck={false}
          className={`${controlLook} h-auto py-1.5`}
        />
      )}
    </Field>
  );
}
