"use client";

import { useQueryClient } from "@tanstack/react-query";
import { CreateDialog } from "@/components/destinations/create-dialog";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { DraftLine } from "@/components/ui/form/draft-line";
import { Field, Select, TextField } from "@/components/ui/form/field";
import { textOf, useAction } from "@/components/ui/form/use-action";
import { webhookKeys } from "./query-keys";

const fields = ["/url", "/types", "/site", "/description"] as const;

const listOf = (text: string) => text.split(/[\s,]+/).filter((one) => one !== "");

const bodyOf = (values: FormData) => ({
  url: textOf(values, "url"),
  types: listOf(textOf(values, "types")),
  site: textOf(values, "site") || null,
  description: textOf(values, "description"),
});

/** The error of the list or of one of its items. */
const typesError = (errors: Record<string, string>) =>
  errors["/types"] ?? Object.entries(errors).find(([name]) => name.startsWith("/types"))?.[1];

/** Creates a webhook, and shows its secret once. */
export function CreateWebhook({ onClose }: { onClose: () => void }) {
  return (
    <CreateDialog
      title={t("Create webhook")}
      ready={t("The webhook is ready")}
      description={t("Events from now on are sent to the URL by POST, as CloudEvents.")}
      form={(onCreated) => <CreateForm onCreated={onCreated} onCancel={onClose} />}
      onClose={onClose}
    />
  );
}

interface CreateFormProps {
  onCreated: (secret: string) => void;
  onCancel: () => void;
}

function CreateForm({ onCreated, onCancel }: CreateFormProps) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const create = async (values: FormData) => {
    const created = await call("POST /v1/webhooks", { body: bodyOf(values) });
    void queries.invalidateQueries({ queryKey: webhookKeys.all(view.tenant) });
    onCreated(created.secret);
  };
  const { busy, errors, error, form, draft } = useAction(create, fields, "webhook");
  const cancel = () => {
    draft.forget();
    onCancel();
  };
  return (
    <form method="post" {...form} className="flex flex-col gap-4">
      {error ? <CallFailed title={t("The webhook was not created")} error={error} /> : null}
      <TextField
        name="url"
        label={t("URL")}
        placeholder="https://hooks.example.com/gatehouse"
        isCode
        required
        error={errors["/url"]}
      />
      <TextField
        name="types"
        label={t("Events")}
        hint={t(
          "Types separated by commas: user.locked, customer.* or * for all. See /docs/events.",
        )}
        defaultValue="*"
        isCode
        required
        error={typesError(errors)}
      />
      <SiteField error={errors["/site"]} />
      <TextField name="description" label={t("Description")} error={errors["/description"]} />
      <DialogActions>
        <DraftLine draft={draft} />
        <Button onClick={cancel}>{t("Cancel")}</Button>
        <Button type="submit" tone="primary" busy={busy}>
          {t("Create webhook")}
        </Button>
      </DialogActions>
    </form>
  );
}

function SiteField({ error }: { error: string | undefined }) {
  const { view } = usePortal();
  return (
    <Field label={t("Site")} error={error}>
      {(control) => (
        <Select name="site" defaultValue="" {...control}>
          <option value="">{t("All sites and the tenant")}</option>
          {view.sites.map((site) => (
            <option key={site}>{site}</option>
          ))}
        </Select>
      )}
    </Field>
  );
}
