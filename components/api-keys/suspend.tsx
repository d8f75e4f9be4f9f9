"use client";

import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { notify } from "@/components/ui/toast";
import { useAction } from "@/components/ui/use-action";
import type { ApiKey } from "@/lib/features/api-keys/contract";

/** By whose right a key is changed: its owner's, or a manager's. */
export type Whose = "own" | "managed";

export const pauses = {
  own: {
    suspend: "POST /v1/user/profile/api-keys/{apiKeyId}/suspend",
    resume: "POST /v1/user/profile/api-keys/{apiKeyId}/resume",
  },
  managed: {
    suspend: "POST /v1/user/api-keys/{apiKeyId}/suspend",
    resume: "POST /v1/user/api-keys/{apiKeyId}/resume",
  },
} as const;

interface SuspendProps {
  apiKey: ApiKey;
  whose: Whose;
  onDone: () => void;
}

/** Suspends the key and says so; the message takes it back. */
export function useSuspend({ apiKey, whose, onDone }: SuspendProps): () => Promise<void> {
  const { call } = usePortal();
  const params = { apiKeyId: apiKey.apiKeyId };
  const resume = async () => {
    await call(pauses[whose].resume, { params });
    onDone();
    void notify(t('Key "{name}" resumed', { name: apiKey.name }));
  };
  return async () => {
    await call(pauses[whose].suspend, { params });
    onDone();
    const failed = () => void notify(t("The key was not changed"));
    void notify(t('Key "{name}" suspended', { name: apiKey.name }), {
      label: t("Undo"),
      onClick: () => void resume().catch(failed),
    });
  };
}

/** In the dialog that revokes a key for good: what stops its programs just as soon, and can be undone. */
export function SuspendInstead({ onClose, ...props }: SuspendProps & { onClose: () => void }) {
  const suspend = useSuspend(props);
  const { busy, error, run } = useAction(async () => {
    await suspend();
    onClose();
  });
  if (props.apiKey.status !== "active" || props.apiKey.handedOver) return null;
  return (
    <div className="flex flex-col items-start gap-2 text-control text-muted">
      {t("Not sure? A suspended key is rejected just as soon, and can be resumed.")}
      <Button busy={busy} onClick={() => void run()}>
        {t("Suspend instead")}
      </Button>
      {error ? <CallFailed title={t("The key was not changed")} error={error} /> : null}
    </div>
  );
}
