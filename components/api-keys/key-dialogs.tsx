"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { msg, t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { Field, Input } from "@/components/ui/form/field";
import { notify } from "@/components/ui/toast";
import { HandOverDialog } from "./hand-over-dialog";
import type { KeyDialogProps } from "./key-dialog-props";
import { KeyUse } from "./key-facts";
import { PreviousSecretDialog } from "./previous-secret-dialog";
import { RevokeDialog } from "./revoke-dialog";
import { RightsUsedDialog } from "./rights-used-dialog";
import { RotateDialog } from "./rotate-dialog";
import { operations, useSuspend } from "./suspend";
import { UsageLimitFields, usageLimitPointers } from "./usage-limit-fields";
import { limitsToSend, usageLimitsOf } from "./usage-limits";

/** Changes the rate limit and the allowed addresses of a key. */
function LimitsDialog({ apiKey, whose, onDone, onClose }: KeyDialogProps) {
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

export type KeyAction =
  | "rotate"
  | "previous"
  | "rename"
  | "limits"
  | "rights"
  | "suspend"
  | "resume"
  | "revoke"
  | "handover";

export function KeyDialog({ action, ...props }: KeyDialogProps & { action: KeyAction }) {
  switch (action) {
    case "rotate":
      return <RotateDialog {...props} />;
    case "previous":
      return <PreviousSecretDialog {...props} />;
    case "rename":
      return <RenameDialog {...props} />;
    case "limits":
      return <LimitsDialog {...props} />;
    case "rights":
      return <RightsUsedDialog {...props} />;
    case "handover":
      return <HandOverDialog {...props} />;
    case "revoke":
      return <RevokeDialog {...props} />;
    default:
      return <StateDialog action={action} {...props} />;
  }
}

function RenameDialog({ apiKey, onDone, onClose }: KeyDialogProps) {
  const { call } = usePortal();
  const rename = async (form: FormData) => {
    const body = { name: String(form.get("name") ?? "") };
    await call("PATCH /v1/user/profile/api-keys/{apiKeyId}", {
      params: { apiKeyId: apiKey.apiKeyId },
      body,
    });
    onDone();
  };
  return (
    <ActionDialog
      title={t('Rename key "{name}"', { name: apiKey.name })}
      confirm={t("Rename key")}
      failed={t("The key was not renamed")}
      onConfirm={rename}
      onClose={onClose}
    >
      <Field label={t("Name")} hint={t("Programs that use the key are not affected.")}>
        {(control) => (
          <Input
            {...control}
            name="name"
            defaultValue={apiKey.name}
            onFocus={(event) => event.currentTarget.select()}
            required
            maxLength={128}
            data-autofocus
          />
        )}
      </Field>
    </ActionDialog>
  );
}

const states = {
  suspend: {
    title: msg('Suspend key "{name}"'),
    confirm: msg("Suspend key"),
    done: msg('Key "{name}" suspended'),
    consequence: msg(
      "Programs that use svk_…{hint} are rejected within a second, until the key is resumed.",
    ),
  },
  resume: {
    title: msg('Resume key "{name}"'),
    confirm: msg("Resume key"),
    done: msg('Key "{name}" resumed'),
    consequence: msg("Programs that use svk_…{hint} work again within a second."),
  },
} as const;

function StateDialog({ action, ...props }: KeyDialogProps & { action: keyof typeof states }) {
  const { apiKey, whose, onDone, onClose } = props;
  const { call } = usePortal();
  const suspend = useSuspend(props);
  const { title, confirm, done, consequence } = states[action];
  const act = async () => {
    if (action === "suspend") return suspend();
    await call(operations[whose].resume, { params: { apiKeyId: apiKey.apiKeyId } });
    onDone();
    void notify(t(done, { name: apiKey.name }));
  };
  return (
    <ActionDialog
      title={t(title, { name: apiKey.name })}
      confirm={t(confirm)}
      keep={t("Leave it")}
      danger={action !== "resume"}
      failed={t("The key was not changed")}
      onConfirm={act}
      onClose={onClose}
    >
      <p className="text-control">
        <KeyUse apiKey={apiKey} />
        {t(consequence, { hint: apiKey.hint })}
      </p>
    </ActionDialog>
  );
}
