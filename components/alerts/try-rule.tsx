"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { useAction } from "@/components/ui/form/use-action";
import type { AlertTest } from "@/lib/features/alerts/contract";
import { useAlertSite } from "./alert-queries";
import { ruleOf } from "./rule-body";
import { TestResult } from "./test-result";

/** Tests the rule of the form around it against the last days, without saving it. */
export function TryRule() {
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
