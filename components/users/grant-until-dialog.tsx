"use client";

import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { EndField, endIn } from "./end-field";

interface GrantUntilDialogProps {
  title: string;
  onGrant: (expiresAt: string) => Promise<unknown>;
  onClose: () => void;
}

/** Grants what somebody asked for, until a time. */
export function GrantUntilDialog({ title, onGrant, onClose }: GrantUntilDialogProps) {
  const grant = async (form: FormData) => {
    const end = endIn(form);
    if (end !== undefined) await onGrant(end);
  };
  return (
    <ActionDialog
      title={title}
      description={t(
        "At its end the role gives nothing any more, to API keys and open sessions too.",
      )}
      confirm={t("Grant until then")}
      failed={t("Nothing was decided")}
      onConfirm={grant}
      onClose={onClose}
    >
      <EndField end={undefined} required />
    </ActionDialog>
  );
}
