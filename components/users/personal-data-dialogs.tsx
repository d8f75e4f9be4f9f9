"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { downloadText } from "@/components/ui/download-text";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { EraseDialog } from "@/components/ui/form/erase-dialog";
import { notify } from "@/components/ui/toast";
import type { UserDialogProps } from "./user-dialog-props";

/** Exports the data that this tenant stores about a user, for a request of the user. */
export function ExportDialog({ user, site, onClose }: UserDialogProps) {
  const { view, call } = usePortal();
  const save = async () => {
    const records = await call("GET /v1/user/{id}/export", { site, params: { id: user.id } });
    const text = JSON.stringify(records, null, 2);
    downloadText(text, `${view.tenant}-${user.id}.json`, "application/json");
    void notify(t("User’s data exported"));
  };
  return (
    <ActionDialog
      title={t("Export the data of {name}", { name: user.name })}
      confirm={t("Export data")}
      failed={t("The data was not exported")}
      onConfirm={save}
      onClose={onClose}
    >
      <p className="text-control">
        {t(
          "Profile, roles, preferences, sessions, API keys without secrets, comments on previews, and the audit entries by and about this user, as a JSON file. The audit trail records that you exported it.",
        )}
      </p>
    </ActionDialog>
  );
}

/** Erases a deactivated user except the id; it cannot be undone, so the login has to be typed. */
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
