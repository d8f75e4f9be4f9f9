"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { serverNow } from "@/components/ui/clock";
import { DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { DraftLine } from "@/components/ui/form/draft-line";
import { TextField } from "@/components/ui/form/field";
import { useAction } from "@/components/ui/form/use-action";
import { ExpiryField } from "./expiry-field";
import {
  expiryInstant,
  forgetKeyDraft,
  hasKeyDraft,
  type KeyDraft,
  keepKeyDraft,
  readKeyDraft,
} from "./key-draft";
import type { NewKey } from "./key-formats";
import { LimitFields, limitsOf } from "./limit-fields";
import { PresetButtons } from "./preset-buttons";
import { UsageLimitFields, usageLimitPointers } from "./usage-limit-fields";
import { newLimitsToSend } from "./usage-limits";
import { type CallableOperation, WhatItCanCall } from "./what-it-can-call";

interface GenerateFormProps {
  callable: CallableOperation[];
  /** The name under which the draft is kept over a reload. */
  draftName: string;
  /** The service user that the key is for. */
  forUser: string | undefined;
  onCancel: () => void;
  onCreated: (key: NewKey) => void;
}

/** Creates the key of a draft; nothing while the draft has no expiration. */
function useCreateKey({ forUser, onCreated }: GenerateFormProps) {
  const { call } = usePortal();
  return async (draft: KeyDraft) => {
    const validTo = expiryInstant(draft.expiry, serverNow());
    if (!validTo) return;
    const limits = { ...limitsOf(draft), ...newLimitsToSend(draft) };
    const body = { name: draft.name, validTo: validTo.toISOString(), ...limits };
    const created = await (forUser === undefined
      ? call("POST /v1/user/profile/api-keys", { body })
      : call("POST /v1/user/{id}/api-keys", { params: { id: forUser }, body }));
    // Trimmed, as the service stores it.
    onCreated({ ...created, name: draft.name.trim() });
  };
}

/** The draft, saved in this tab on each change. */
function useKeyDraft(draftName: string) {
  const [draft, setDraft] = useState(() => readKeyDraft(draftName));
  const [isKept, setIsKept] = useState(() => hasKeyDraft(draftName));
  const change = (part: Partial<KeyDraft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    keepKeyDraft(draftName, next);
    setIsKept(true);
  };
  const discard = () => {
    forgetKeyDraft(draftName);
    setDraft(readKeyDraft(draftName));
    setIsKept(false);
  };
  return { draft, change, isKept, discard };
}

export function GenerateForm(props: GenerateFormProps) {
  const { callable, draftName, onCancel } = props;
  const { draft, change, isKept, discard } = useKeyDraft(draftName);
  const create = useCreateKey(props);
  const { busy, errors, error, submit } = useAction(
    () => create(draft),
    ["/name", "/validTo", ...usageLimitPointers],
  );
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-5">
      {error ? <CallFailed title={t("Key not created")} error={error} /> : null}
      <TextField
        label={t("Name")}
        hint={t("Where it will be used, such as ci-eu. Unique among your keys.")}
        error={errors["/name"]}
        required
        maxLength={128}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <ExpiryField
        expiry={draft.expiry}
        onChange={(expiry) => change({ expiry })}
        error={errors["/validTo"]}
      />
      <PresetButtons callable={callable} limits={draft} onChange={change} />
      {callable.length > 0 ? <WhatItCanCall callable={callable} limits={draft} /> : null}
      <LimitFields
        callable={callable}
        limits={draft}
        onChange={({ permissions, sites }) => change({ permissions, sites })}
      >
        <UsageLimitFields limits={draft} errors={errors} onChange={change} />
      </LimitFields>
      <DialogActions>
        <DraftLine draft={{ isKept, discard }} />
        <Button onClick={onCancel}>{t("Cancel")}</Button>
        <Button type="submit" tone="primary" busy={busy}>
          {t("Generate key")}
        </Button>
      </DialogActions>
    </form>
  );
}
