"use client";

import { useQueryClient } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { postpone } from "@/components/shell/postponed";
import { t } from "@/components/texts/t";
import { errorText } from "@/components/ui/error-notice";
import { notify } from "@/components/ui/toast";
import type { ApiKey } from "@/lib/features/api-keys/contract";
import { isLeaked } from "./hygiene";
import { keyKeys } from "./query-keys";
import { operations, useUndoSuspension, type Whose } from "./suspend";

/** Whether a revocation can be undone for a time: not for a leaked or expired key. */
export const canUndoRevocation = (key: ApiKey): boolean =>
  (key.status === "active" || key.status === "suspended") && !isLeaked(key);

/** Refetches the keys wherever they are on screen. */
export function useKeysChanged(): () => void {
  const { tenant } = usePortal().view;
  const queries = useQueryClient();
  return () => {
    for (const queryKey of [keyKeys.own(tenant), keyKeys.managed(tenant)])
      void queries.invalidateQueries({ queryKey });
  };
}

/**
 * Revokes a key. Its clients are rejected at once: it is suspended, and revoked when the time for Undo is over. The
 * server cannot undo a revocation, so there is no Undo after the request is sent.
 */
export function useRevoke(apiKey: ApiKey, whose: Whose): () => Promise<void> {
  const { call } = usePortal();
  const onDone = useKeysChanged();
  const resume = useUndoSuspension({ apiKey, whose, onDone });
  const { apiKeyId, name } = apiKey;
  const params = { apiKeyId };
  const revoke = async () => {
    await call(operations[whose].revoke, { params, keepalive: true });
    onDone();
    void notify(t('Key "{name}" revoked', { name }));
  };
  const keepSuspended = async () => void notify(t('Key "{name}" stays suspended', { name }));
  return async () => {
    const wasActive = apiKey.status === "active";
    if (!canUndoRevocation(apiKey)) return revoke();
    // It may have been reported as leaked since it was read.
    if (wasActive && isLeaked(await call(operations[whose].suspend, { params }))) return revoke();
    onDone();
    postpone({
      id: apiKeyId,
      message: wasActive
        ? t('Key "{name}" suspended. It is revoked in 10 seconds.', { name })
        : t('Key "{name}" is revoked in 10 seconds.', { name }),
      undo: () => void (wasActive ? resume() : keepSuspended()),
      finish: revoke,
      unreachable: t(
        'Key "{name}" is suspended and not revoked yet. It is revoked as soon as there is a connection.',
        { name },
      ),
      failed: (error) =>
        t('Key "{name}" is suspended and not revoked yet. {reason}', {
          name,
          reason: errorText(error),
        }),
    });
  };
}
