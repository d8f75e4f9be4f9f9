"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Instant } from "@/components/ui/instant";
import { notify } from "@/components/ui/toast";
import { CallError } from "@/lib/catalogue/client";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { useOwnKeys } from "./own-keys";

interface RevokeDialogProps {
  apiKey: ApiKey;
  onClose: () => void;
}

/** The consequence first: who uses the key stops working within a second, and there is no way back. */
export function RevokeDialog({ apiKey, onClose }: RevokeDialogProps) {
  const { call } = usePortal();
  const queries = useQueryClient();
  const own = useOwnKeys();
  const revoke = useMutation({
    mutationFn: () =>
      call("DELETE /v1/user/profile/api-keys/{apiKeyId}", {
        params: { apiKeyId: apiKey.apiKeyId },
      }),
    onSuccess: () => {
      queries.setQueryData(own.queryKey, (keys) =>
        keys?.map((key) =>
          key.apiKeyId === apiKey.apiKeyId ? { ...key, status: "revoked" as const } : key,
        ),
      );
      onClose();
      void notify(`Key "${apiKey.name}" revoked`);
    },
    onSettled: () => queries.invalidateQueries(own),
  });
  return (
    <Dialog open onOpenChange={onClose} title={`Revoke key "${apiKey.name}"`}>
      <p className="text-control">
        {apiKey.lastUsedAt ? (
          <>
            Used <Instant at={apiKey.lastUsedAt} />
            {apiKey.lastUsedIp ? ` from ${apiKey.lastUsedIp}` : ""}
            {apiKey.lastUsedOperation ? ` for ${apiKey.lastUsedOperation}` : ""}.{" "}
          </>
        ) : (
          "Never used. "
        )}
        Programs that use svk_…{apiKey.hint} are rejected within a second. A revoked key cannot be
        restored.
      </p>
      {revoke.error ? (
        <div className="mt-4">
          <ErrorNotice
            title="The key was not revoked"
            detail={revoke.error.message}
            requestId={revoke.error instanceof CallError ? revoke.error.requestId : undefined}
          />
        </div>
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>Keep key</Button>
        <Button tone="danger" busy={revoke.isPending} onClick={() => revoke.mutate()}>
          Revoke key
        </Button>
      </DialogActions>
    </Dialog>
  );
}
