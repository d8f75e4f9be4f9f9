"use client";

import { useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/action-dialog";
import { notify } from "@/components/ui/toast";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { KeyUse } from "./key-facts";
import { useOwnKeys } from "./own-keys";
import { SuspendInstead } from "./suspend";

interface RevokeDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

/** The consequence first: who uses the key stops working within a second, and there is no way back. */
export function RevokeDialog({ apiKey, onClose }: RevokeDialogProps) {
  const { call } = usePortal();
  const queries = useQueryClient();
  const own = useOwnKeys();
  const { apiKeyId, name, hint } = apiKey;
  const revoke = async () => {
    try {
      await call("DELETE /v1/user/profile/api-keys/{apiKeyId}", { params: { apiKeyId } });
      queries.setQueryData(own.queryKey, (keys) =>
        keys?.map((key) =>
          key.apiKeyId === apiKeyId ? { ...key, status: "revoked" as const } : key,
        ),
      );
      void notify(t('Key "{name}" revoked', { name }));
    } finally {
      void queries.invalidateQueries(own);
    }
  };
  return (
    <ActionDialog
      title={t('Revoke key "{name}"', { name })}
      confirm={t("Revoke key")}
      keep={t("Keep key")}
      danger
      failed={t("The key was not revoked")}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p className="text-control">
        <KeyUse apiKey={apiKey} />
        {t(
          "Programs that use svk_…{hint} are rejected within a second. A revoked key cannot be restored.",
          { hint },
        )}
      </p>
      <SuspendInstead
        apiKey={apiKey}
        whose="own"
        onDone={() => void queries.invalidateQueries(own)}
        onClose={onClose}
      />
    </ActionDialog>
  );
}
