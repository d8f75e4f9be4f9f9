"use client";

import { useState } from "react";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { RecoveryCodesDialog } from "./recovery-codes";

/** Replaces the recovery codes and shows the new ones once. */
export function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const { call } = usePortal();
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodesDialog codes={codes} onDone={onClose} />;
  return (
    <ActionDialog
      title={t("Replace recovery codes")}
      confirm={t("Replace recovery codes")}
      failed={t("The recovery codes were not replaced")}
      onConfirm={async () =>
        setCodes((await call("POST /v1/user/second-factors/recovery-codes", {})).recoveryCodes)
      }
      onClose={() => undefined}
      onCancel={onClose}
    >
      <p className="text-control">{t("You get ten new codes. Those you have no longer work.")}</p>
    </ActionDialog>
  );
}
