"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { ActionDialog } from "@/components/ui/action-dialog";
import { notify } from "@/components/ui/toast";
import type { KeyDialogProps } from "./key-dialogs";
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
    void notify(`Limits of key "${apiKey.name}" changed`);
  };
  return (
    <ActionDialog
      title={`Change limits of key "${apiKey.name}"`}
      description="A change takes effect within a second."
      confirm="Change limits"
      failed="The limits were not changed"
      fields={usageLimitPointers}
      onConfirm={change}
      onClose={onClose}
    >
      {(errors) => <UsageLimitFields limits={limits} errors={errors} onChange={setLimits} />}
    </ActionDialog>
  );
}
