"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed, errorText } from "@/components/ui/error-notice";
import { useAction } from "@/components/ui/form/use-action";
import { showStanding } from "@/components/ui/standing-message";
import { notify } from "@/components/ui/toast";
import type { ApiKey } from "@/lib/features/api-keys/contract";

/** Whether the owner or a manager changes a key. */
export type Whose = "own" | "managed";

export const operations = {
  own: {
    suspend: "POST /v1/user/profile/api-keys/{apiKeyId}/suspend",
    resume: "POST /v1/user/profile/api-keys/{apiKeyId}/resume",
    revoke: "DELETE /v1/user/profile/api-keys/{apiKeyId}",
  },
  managed: {
    suspend: "POST /v1/user/api-keys/{apiKeyId}/suspend",
    resume: "POST /v1/user/api-keys/{apiKeyId}/resume",
    revoke: "POST /v1/user/api-keys/{apiKeyId}/revoke",
  },
} as const;

export interface SuspendProps {
  apiKey: ApiKey;
  whose: Whose;
  onDone: () => void;
}

/** Takes a suspension back. When that fails, it says that the key is still suspended, with a retry. Never rejects. */
export function useUndoSuspension({ apiKey, whose, onDone }: SuspendProps): () => Promise<void> {
  const { call } = usePortal();
  const { apiKeyId, name } = apiKey;
  return async function resume() {
    try {
      await call(operations[whose].resume, { params: { apiKeyId } });
      void notify(t('Key "{name}" resumed', { name }));
    } catch (error) {
      void showStanding(apiKeyId, {
        message: t('Key "{name}" is still suspended. {reason}', { name, reason: errorText(error) }),
        action: { label: t("Try again"), onClick: () => void resume() },
        close: t("Close"),
      });
    }
    onDone();
  };
}

/** Suspends the key and shows a message with Undo. */
export function useSuspend(props: SuspendProps): () => Promise<void> {
  const { apiKey, whose, onDone } = props;
  const { call } = usePortal();
  const resume = useUndoSuspension(props);
  return async () => {
    await call(operations[whose].suspend, { params: { apiKeyId: apiKey.apiKeyId } });
    onDone();
    void notify(t('Key "{name}" suspended', { name: apiKey.name }), {
      label: t("Undo"),
      onClick: () => void resume(),
    });
  };
}

/** In the dialog that revokes a key: suspends it instead, which takes effect as fast and can be undone at any time. */
export function SuspendInstead({ onClose, ...props }: SuspendProps & { onClose: () => void }) {
  const suspend = useSuspend(props);
  const { busy, error, run } = useAction(async () => {
    await suspend();
    onClose();
  });
  if (props.apiKey.status !== "active" || props.apiKey.handedOver) return null;
  return (
    <div className="flex flex-col items-start gap-2 text-control text-muted">
      {t("Not sure? A suspended key is rejected just as soon, and can be resumed at any time.")}
      <Button busy={busy} onClick={() => void run()}>
        {t("Suspend instead")}
      </Button>
      {error ? <CallFailed title={t("The key was not changed")} error={error} /> : null}
    </div>
  );
}
