"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { EraseDialog } from "@/components/ui/form/erase-dialog";
import { notify } from "@/components/ui/toast";
import type { UserDialogProps } from "./user-dialog-props";

/** Erases a deactivated user to an id; it cannot be undone, so the login is typed. */
export function EraseUser({ user, site, onClose, onDone }: UserDialogProps) {
  const { call } = usePortal();
  const erase = async (reason: string) => {
    await call("POST /v1/user/{id}/erase", { site, params: { id: user.id }, body: { reason } });
    onDone();
    void notify(t("User erased"));
  };
  return (
    <EraseDialog
      title={t("Erase {name}", { name: user.name })}
      description={t(
        "Replaces the name, login and e-mail address with the user's id in every tenant and in the audit trail. This cannot be undone.",
      )}
      confirm={t("Erase user")}
      failed={t("The user was not erased")}
      expected={user.login}
      what={t("the login")}
      onErase={erase}
      onClose={onClose}
    >
      {t(
        "Sessions and IP addresses are deleted, and API keys are revoked. The audit trail keeps the user's id and can still be verified.",
      )}
    </EraseDialog>
  );
}
