"use client";

import type { ReactNode } from "react";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { DraftLine } from "./draft-line";
import { useAction } from "./use-action";

interface ActionDialogProps {
  title: ReactNode;
  description?: ReactNode;
  /** Verb and object, the label of the confirm button. */
  confirm: string;
  keep?: string;
  danger?: boolean;
  disabled?: boolean;
  wide?: boolean;
  /** The title of the error when it failed. */
  failed: string;
  /** Runs the action with the form's values. The dialog closes on success. */
  onConfirm: (form: FormData) => Promise<unknown>;
  onClose: () => void;
  /** The form, such as `invite`: input is then kept until the Cancel button is pressed. */
  draft?: string;
  /** Called on leaving, if that differs from completion. */
  onCancel?: () => void;
  /** The fields that show their own errors, as JSON pointers into the body. */
  fields?: readonly string[];
  /** The fields; a function receives the error of each. */
  children?: ReactNode | ((errors: Record<string, string>) => ReactNode);
}

/** Confirms and runs an action, and stays open with the reason when it failed. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, description, wide = false, failed, children } = props;
  const { onConfirm, onClose, onCancel = onClose } = props;
  const { busy, errors, error, form, draft } = useAction(
    async (values) => {
      await onConfirm(values);
      onClose();
    },
    props.fields,
    props.draft,
  );
  const cancel = () => {
    draft.forget();
    onCancel();
  };
  return (
    <Dialog open onOpenChange={onCancel} title={title} description={description} wide={wide}>
      <form method="post" {...form} className="flex flex-col gap-4">
        {typeof children === "function" ? children(errors) : children}
        {error ? <CallFailed title={failed} error={error} /> : null}
        <DialogActions>
          <DraftLine draft={draft} />
          <Button onClick={cancel}>{props.keep ?? t("Cancel")}</Button>
          <Button
            type="submit"
            tone={props.danger ? "final" : "primary"}
            data-danger={props.danger || undefined}
            busy={busy}
            disabled={props.disabled}
          >
            {props.confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
