"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/error-notice";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { textOf, useAction } from "@/components/ui/form/use-action";
import { notify } from "@/components/ui/toast";
import type { Alert, AlertTest } from "@/lib/features/alerts/contract";
import { useAlertSite, useReload } from "./alert-queries";
import { RecipientFields } from "./recipient-fields";
import { recipientsOf, ruleFields, ruleOf } from "./rule-body";
import { RuleFields } from "./rule-fields";
import { TestResult } from "./test-result";

/** Tests the rule in the surrounding form against the last days, without saving it. */
function TryRule() {
  const { call } = usePortal();
  const site = useAlertSite();
  const [found, setFound] = useState<{ test: AlertTest; rule: ReturnType<typeof ruleOf> }>();
  const test = useAction(async (form) => {
    const rule = ruleOf(form);
    setFound({ rule, test: await call("POST /v1/alerts/test", { site, body: rule }) });
  });
  return (
    <section aria-label={t("Test")} className="flex flex-col gap-3 border-t border-border pt-4">
      <div>
        <Button
          busy={test.busy}
          onClick={({ currentTarget: { form } }) => {
            if (form?.reportValidity()) void test.run(new FormData(form));
          }}
        >
          {t("Test against the last 7 days")}
        </Button>
      </div>
      {test.error ? <CallFailed title={t("The rule was not tested")} error={test.error} /> : null}
      {found && !test.error ? <TestResult {...found} /> : null}
    </section>
  );
}

interface RuleDialogProps {
  /** The rule to change; absent to create one. */
  alert?: Alert;
  onClose: () => void;
}

/** Creates or changes a rule, which can be tested first. Input is kept as a draft. */
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
