"use client";

import { type FormEvent, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { CallError } from "@/lib/catalogue/client";
import { expiryInstant } from "./expiry";
import { ExpiryField } from "./expiry-field";
import { type KeyDraft, keepKeyDraft, readKeyDraft } from "./key-draft";
import type { NewKey } from "./key-formats";
import { LimitFields, limitsOf } from "./limit-fields";
import { type CallableOperation, WhatItCanCall } from "./what-it-can-call";

interface GenerateFormProps {
  callable: CallableOperation[];
  /** Where what is filled in is kept over a reload. */
  draftName: string;
  /** The service user that the key is for. */
  forUser: string | undefined;
  onCancel: () => void;
  onCreated: (key: NewKey) => void;
}

export function GenerateForm({
  callable,
  draftName,
  forUser,
  onCancel,
  onCreated,
}: GenerateFormProps) {
  const { call } = usePortal();
  const [draft, setDraft] = useState(() => readKeyDraft(draftName));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const change = (part: Partial<KeyDraft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    keepKeyDraft(draftName, next);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { name } = draft;
    const validTo = expiryInstant(draft.expiry, Date.now());
    if (!validTo || busy) return;
    setBusy(true);
    try {
      const body = { name, validTo: validTo.toISOString(), ...limitsOf(draft) };
      const created = await (forUser === undefined
        ? call("POST /v1/user/profile/api-keys", { body })
        : call("POST /v1/user/{id}/api-keys", { params: { id: forUser }, body }));
      onCreated({ ...created, name: name.trim() });
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      setError(thrown);
      setBusy(false);
    }
  };
  const { name: nameError, validTo: validToError, other } = errorsByField(error);
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
      {other ? (
        <ErrorNotice title="Key not created" detail={other.message} requestId={other.requestId} />
      ) : null}
      <Field
        label="Name"
        hint="Where it will be used, such as ci-eu. Unique among your keys."
        error={nameError}
      >
        {(control) => (
          <Input
            {...control}
            required
            maxLength={128}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      <ExpiryField
        expiry={draft.expiry}
        onChange={(expiry) => change({ expiry })}
        error={validToError}
      />
      {callable.length > 0 ? <WhatItCanCall callable={callable} /> : null}
      <LimitFields
        callable={callable}
        limits={draft}
        onChange={({ permissions, sites }) => change({ permissions, sites })}
      />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" tone="primary" busy={busy}>
          Generate key
        </Button>
      </DialogActions>
    </form>
  );
}

/** What is wrong with which field; what belongs to none stays `other`. */
function errorsByField(error: CallError | undefined): {
  name?: string;
  validTo?: string;
  other?: CallError;
} {
  if (!error) return {};
  const pointers = error.reason?.split(",") ?? [];
  if (error.code === "api-key.name-taken" || pointers.includes("/name"))
    return { name: error.message.replace(/^\/name /, "The name ") };
  if (pointers.includes("/validTo"))
    return { validTo: error.message.replace(/^\/validTo /, "The expiration ") };
  return { other: error };
}
