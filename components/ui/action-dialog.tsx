"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { CallError } from "@/lib/catalogue/client";
import { Button } from "./button";
import { Dialog, DialogActions } from "./dialog";
import { ErrorNotice } from "./error-notice";

interface ActionDialogProps {
  title: ReactNode;
  description?: ReactNode;
  /** Verb and object, on the button that does it. */
  confirm: string;
  keep?: string;
  danger?: boolean;
  disabled?: boolean;
  wide?: boolean;
  /** What to say when it failed. */
  failed: string;
  /** Does it, with what was filled in. The dialog closes when it went well. */
  onConfirm: (form: FormData) => Promise<unknown>;
  onClose: () => void;
  /** Where leaving differs from having done it. */
  onCancel?: () => void;
  children?: ReactNode;
}

/** Asks before something is done, does it, and stays open with the reason when it failed. */
export function ActionDialog({
  title,
  description,
  confirm,
  keep = "Cancel",
  danger = false,
  disabled,
  wide,
  failed,
  ...rest
}: ActionDialogProps) {
  const { onConfirm, onClose, onCancel = onClose, children } = rest;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    try {
      await onConfirm(new FormData(event.currentTarget));
      onClose();
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown;
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={onCancel}
      title={title}
      description={description}
      wide={wide ?? false}
    >
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {children}
        {error ? (
          <ErrorNotice title={failed} detail={error.message} requestId={error.requestId} />
        ) : null}
        <DialogActions>
          <Button onClick={onCancel}>{keep}</Button>
          <Button
            type="submit"
            tone={danger ? "danger" : "primary"}
            busy={busy}
            disabled={disabled}
          >
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
