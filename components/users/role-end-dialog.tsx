"use client";

import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import type { Wish } from "./access-changes";
import { EndField, endIn } from "./end-field";

interface RoleEndDialogProps {
  label: string;
  end: string | undefined;
  onEnd: (wanted: Wish) => void;
  onClose: () => void;
}

/** Nothing is saved here: the end is one of the changes of the page. */
export function RoleEndDialog({ label, end, onEnd, onClose }: RoleEndDialogProps) {
  const choose = async (form: FormData) => onEnd(endIn(form) ?? true);
  return (
    <ActionDialog
      title={label}
      description={t(
        "At its end the role gives nothing any more, to API keys and open sessions too.",
      )}
      confirm={t("Apply")}
      failed={t("The end was not changed")}
      onConfirm={choose}
      onClose={onClose}
    >
      <EndField end={end} />
    </ActionDialog>
  );
}
