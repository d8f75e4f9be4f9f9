"use client";

import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { Notice } from "@/components/ui/notice";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { isLeaked } from "./hygiene";
import { KeyUse } from "./key-facts";
import { canUndoRevocation, useKeysChanged, useRevoke } from "./revoke";
import { SuspendInstead, type Whose } from "./suspend";

interface RevokeDialogProps {
  apiKey: ApiKey;
  whose: Whose;
  onClose: () => void;
}

/** The consequence first: clients of the key are rejected within a second, and when the revocation becomes final. */
export function RevokeDialog({ apiKey, whose, onClose }: RevokeDialogProps) {
  const onDone = useKeysChanged();
  const revoke = useRevoke(apiKey, whose);
  const { name, hint, status } = apiKey;
  // When it fails, the key may have changed since it was read.
  const onConfirm = () => revoke().finally(onDone);
  return (
    <ActionDialog
      title={t('Revoke key "{name}"', { name })}
      confirm={t("Revoke key")}
      keep={t("Keep key")}
      danger
      failed={t("The key was not revoked")}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Notice tone="danger">
        <KeyUse apiKey={apiKey} />
        {status === "active"
          ? t("Programs that use svk_…{hint} are rejected within a second.", { hint })
          : t("Programs that use svk_…{hint} are rejected already.", { hint })}
        <p className="mt-1">{endOf(apiKey)}</p>
      </Notice>
      <SuspendInstead apiKey={apiKey} whose={whose} onDone={onDone} onClose={onClose} />
    </ActionDialog>
  );
}

/** The time at which the revocation becomes final. */
function endOf(apiKey: ApiKey): string {
  if (canUndoRevocation(apiKey))
    return t(
      "You can undo this for 10 seconds. After that, or when you close the portal, the key is revoked and cannot be restored.",
    );
  if (isLeaked(apiKey))
    return t(
      "It was reported as leaked, so it is revoked at once and without Undo. A revoked key cannot be restored.",
    );
  return t("The key is revoked at once, without Undo. A revoked key cannot be restored.");
}
