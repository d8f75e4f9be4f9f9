"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { ActionDialog } from "@/components/ui/action-dialog";
import { Field } from "@/components/ui/field";
import { fieldErrors } from "@/components/ui/field-errors";
import { controlLook, Input } from "@/components/ui/input";
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
    currency:
      String(form.get("currency") ?? "")
        .trim()
        .toUpperCase() || null,
  };
}

/** Makes a site or changes one. */
export function SiteDialog({ site, onChanged, onClose }: SiteDialogProps) {
  const { call } = usePortal();
  const [error, setError] = useState<Error>();
  const save = async (form: FormData) => {
    try {
      if (site)
        await call("PATCH /v1/tenant/sites/{id}", {
          params: { id: site.id },
          body: settingsOf(form),
        });
      else
        await call("POST /v1/tenant/sites", {
          body: { id: String(form.get("id")).trim(), ...settingsOf(form) },
        });
    } catch (thrown) {
      if (thrown instanceof Error) setError(thrown);
      throw thrown;
    }
    await onChanged();
  };
  const wrong = Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([pointer, words]) => [pointer.split("/")[1], words]),
  );
  return (
    <ActionDialog
      title={site ? `Edit the site ${site.id}` : "Add a site"}
      confirm={site ? "Save site" : "Add site"}
      failed="The site was not saved"
      onConfirm={save}
      onClose={onClose}
    >
      {site ? null : (
        <Field
          label="Site id"
          hint="Lowercase letters, digits and hyphens. It cannot be changed later."
          error={wrong.id}
        >
          {(control) => (
            <Input
              {...control}
              name="id"
              required
              maxLength={63}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Field>
      )}
      <Field label="Site name" error={wrong.name}>
        {(control) => (
          <Input
            {...control}
            name="name"
            defaultValue={site?.name}
            required
            maxLength={128}
            autoComplete="off"
          />
        )}
      </Field>
      <Field
        label="Allowed origins"
        hint="One a line, such as https://shop.example: pages that may call the consumer interface."
        error={wrong.allowedOrigins}
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
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Locales" hint="Such as de-DE, en-GB" error={wrong.locales}>
          {(control) => (
            <Input
              {...control}
              name="locales"
              defaultValue={site?.locales.join(", ")}
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Currency" hint="ISO 4217, such as EUR" error={wrong.currency}>
          {(control) => (
            <Input
              {...control}
              name="currency"
              defaultValue={site?.currency ?? ""}
              maxLength={3}
              autoComplete="off"
            />
          )}
        </Field>
      </div>
    </ActionDialog>
  );
}
