"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { textOf } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";
import type { Alert } from "@/lib/features/alerts/contract";
import { useAlertSite, useReload } from "./alert-queries";
import { RecipientFields } from "./recipient-fields";
import { recipientsOf, ruleFields, ruleOf } from "./rule-body";
import { RuleFields } from "./rule-fields";
import { TryRule } from "./try-rule";

interface RuleDialogProps {
  /** The rule to change; without one another is created. */
  alert?: Alert;
  onClose: () => void;
}

/** Creates or changes a rule, which can be tested before. What is typed is kept as a draft. */
export function RuleDialog({ alert, onClose }: RuleDialogProps) {
  const { call } = usePortal();
  const site = useAlertSite();
  const reload = useReload();
  const save = async (form: FormData) => {
    const body = { name: textOf(form, "name"), ...ruleOf(form), mailTo: recipientsOf(form) };
    if (alert) await call("PATCH /v1/alerts/{id}", { site, params: { id: alert.id }, body });
    else await call("POST /v1/alerts", { site, body });
    await reload();
    void notify(alert ? t("Alert changed") : t("Alert created"));
  };
  return (
    <ActionDialog
      wide
      title={alert ? t("Change alert") : t("Create alert")}
      description={t(
        "It fires while the window and its last twelfth are both beyond the threshold.",
      )}
      confirm={alert ? t("Save changes") : t("Create alert")}
      failed={alert ? t("The alert was not changed") : t("The alert was not created")}
      onConfirm={save}
      onClose={onClose}
      draft={alert ? `alert-${alert.id}` : "alert"}
      fields={ruleFields}
    >
      {(errors) => (
        <>
          <RuleFields errors={errors} alert={alert} />
          <RecipientFields chosen={alert?.mailTo ?? []} />
          <TryRule />
        </>
      )}
    </ActionDialog>
  );
}
