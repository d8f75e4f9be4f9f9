"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { notify } from "@/components/ui/toast";
import type { KeyDialogProps } from "./key-dialog-props";
import { UsageLimitFields, usageLimitPointers } from "./usage-limit-fields";
import { limitsToSend, usageLimitsOf } from "./usage-limits";

/** Changes how often and from where a key may be used. */
export function LimitsDialog({ apiKey, whose, onDone, onClose }: KeyDialogProps) {
  const { call } = usePortal();
  const [limits, setLimits] = useState(() => usageLimitsOf(apiKey));
  const change = async () => {
    const request = { params: { apiKeyId: apiKey.apiKeyId }, body: limitsToSend(limits) };
    await (whose === "own"
      ? call("PATCH /v1/user/profile/api-keys/{apiKeyId}", request)
      : call("PATCH /v1/user/api-keys/{apiKeyId}", request));
    onDone();
    void notify(t('Limits of key "{name}" changed', { name: apiKey.name }));
  };
  return (
    <ActionDialog
      title={t('Change limits of key "{name}"', { name: apiKey.name })}
      description={t("A change takes effect within a second.")}
      confirm={t("Change limits")}
      failed={t("The limits were not changed")}
      fields={usageLimitPointers}
      onConfirm={change}
      onClose={onClose}
    >
      {(errors) => <UsageLimitFields limits={limits} errors={errors} onChange={setLimits} />}
    </ActionDialog>
  );
}
