"use client";

import { type FormEvent, useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { DialogActions } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Notice } from "@/components/ui/notice";
import { Segmented } from "@/components/ui/segmented";
import { CallError } from "@/lib/catalogue/client";
import type { KeyDialogProps } from "./key-dialogs";
import type { NewKey } from "./key-formats";
import { SecretDialog } from "./secret-dialog";

const overlaps = [
  { value: "PT0S", label: "0 (expire now)" },
  { value: "PT1H", label: "1 hour" },
  { value: "P1D", label: "1 day" },
  { value: "P7D", label: "7 days" },
  { value: "P30D", label: "30 days" },
] as const;

/** A new secret under the same id, with time to bring it to every program. */
export function RotateDialog({ apiKey, whose, callable, onDone, onClose }: KeyDialogProps) {
  return (
    <SecretDialog
      title={`Rotate key "${apiKey.name}"`}
      description="The key gets a new secret and keeps its id, name and expiration."
      callable={callable}
      form={(onMade) => (
        <RotateForm apiKey={apiKey} whose={whose} onMade={onMade} onCancel={onClose} />
      )}
      onMade={onDone}
      onClose={onClose}
    />
  );
}

interface RotateFormProps extends Pick<KeyDialogProps, "apiKey" | "whose"> {
  onMade: (key: NewKey) => void;
  onCancel: () => void;
}

function RotateForm({ apiKey, whose, onMade, onCancel }: RotateFormProps) {
  const { call } = usePortal();
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]["value"]>("P1D");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const operation =
      whose === "own"
        ? "POST /v1/user/profile/api-keys/{apiKeyId}/rotate"
        : "POST /v1/user/api-keys/{apiKeyId}/rotate";
    try {
      const {
        apiKey: secret,
        apiKeyId,
        validTo,
      } = await call(operation, { params: { apiKeyId: apiKey.apiKeyId }, body: { overlap } });
      onMade({ apiKey: secret, apiKeyId, validTo, name: apiKey.name });
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      {error ? (
        <ErrorNotice
          title="The key was not rotated"
          detail={error.message}
          requestId={error.requestId}
        />
      ) : null}
      {apiKey.handedOver ? (
        <Notice tone="neutral">
          Nobody knows the key's secret. Rotating creates one and ends the suspension.
        </Notice>
      ) : apiKey.rotationRequired ? (
        <Notice tone="warning">
          The current secret was reported as leaked and expires immediately. Resume the key after
          rotating it.
        </Notice>
      ) : (
        <Segmented
          legend="Keep the current secret valid for"
          name="overlap"
          options={overlaps}
          value={overlap}
          onChange={setOverlap}
        />
      )}
      {apiKey.previousValidTo ? (
        <Notice tone="warning">The previous secret still works. It expires immediately.</Notice>
      ) : null}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" tone="primary" busy={busy}>
          Rotate key
        </Button>
      </DialogActions>
    </form>
  );
}
