"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { downloadText } from "@/components/ui/download-text";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { TextField } from "@/components/ui/form/field";
import { textOf } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";

const type = "application/x-ndjson";

/** Saves the customers of a site as a file; the reason is recorded. */
export function ExportDialog({ site, onClose }: { site: string; onClose: () => void }) {
  const { view, exchangeText } = usePortal();
  const save = async (values: FormData) => {
    const { text } = await exchangeText("POST /v1/customers/exports", {
      site,
      text: JSON.stringify({ reason: textOf(values, "reason") }),
      accept: type,
    });
    downloadText(text, `${view.tenant}-${site}-customers.ndjson`, type);
    void notify(t("Customers exported"));
  };
  return (
    <ActionDialog
      title={t("Export customers of {site}", { site })}
      description={t(
        "Saves profiles in the clear, one customer a line, without password hashes and payment tokens.",
      )}
      confirm={t("Export customers")}
      failed={t("The customers were not exported")}
      fields={["/reason"]}
      onConfirm={save}
      onClose={onClose}
    >
      {(errors) => (
        <TextField
          name="reason"
          label={t("Reason")}
          hint={t("Stays in the audit trail with your name.")}
          required
          maxLength={256}
          error={errors["/reason"]}
          data-autofocus
        />
      )}
    </ActionDialog>
  );
}
