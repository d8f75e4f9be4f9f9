"use client";

import { useQuery } from "@tanstack/react-query";
import { callsOf } from "@/components/api-keys/key-facts";
import { sessionKeys } from "@/components/sessions/query-keys";
import { usePortal } from "@/components/shell/portal";
import { rich } from "@/components/texts/rich";
import { number, plural, t } from "@/components/texts/t";
import { ActionDialog } from "@/components/ui/form/action-dialog";
import { Instant } from "@/components/ui/instant";
import { Skeleton } from "@/components/ui/skeleton";
import { notify } from "@/components/ui/toast";
import type { ManagedKey } from "@/lib/features/api-keys/managing-contract";
import { useActiveKeysQuery } from "./access-queries";
import type { UserDialogProps } from "./user-dialog-props";

function callsInWords(keys: ManagedKey[]): string {
  const calls = keys.reduce((sum, { callsByDay }) => sum + callsOf(callsByDay ?? []), 0);
  return plural(calls, "{count} call in the last 7 days", "{count} calls in the last 7 days", {
    count: number(calls),
  });
}

const keysInWords = (keys: ManagedKey[]) =>
  keys.length > 0
    ? t("{count} API keys: {calls}", { count: keys.length, calls: callsInWords(keys) })
    : t("{count} API keys", { count: keys.length });

/** Lists what stops working above the confirm button. */
export function DeactivateDialog({ user, site, onClose, onDone }: UserDialogProps) {
  const { view, call } = usePortal();
  const maySeeKeys = view.permissions.includes("api-key.manage") && site === undefined;
  const keys = useQuery(useActiveKeysQuery(user.id, maySeeKeys));
  const sessions = useQuery({
    queryKey: sessionKeys.ofUser(view.tenant, user.id),
    queryFn: ({ signal }) =>
      call("GET /v1/user/{id}/sessions", { site, params: { id: user.id }, signal }),
  });
  const deactivate = async () => {
    await call("POST /v1/user/{id}/deactivate", { site, params: { id: user.id } });
    onDone();
    void notify(t("{name} deactivated", { name: user.name }));
  };
  const isLoading = sessions.isPending || (maySeeKeys && keys.isPending);
  return (
    <ActionDialog
      title={t("Deactivate {name}", { name: user.name })}
      description={t(
        "The user can no longer sign in, and all sessions end, in every tenant. API keys work again after reactivation.",
      )}
      confirm={t("Deactivate user")}
      keep={t("Keep user")}
      danger
      failed={t("The user was not deactivated")}
      onConfirm={deactivate}
      onClose={onClose}
    >
      <h3 className="text-body font-medium">{t("What stops working within a second")}</h3>
      {isLoading ? (
        <Skeleton className="h-16" />
      ) : (
        <Consequences
          sessions={sessions.data?.length ?? 0}
          keys={maySeeKeys ? (keys.data ?? []) : undefined}
        />
      )}
    </ActionDialog>
  );
}

interface ConsequencesProps {
  sessions: number;
  /** Absent when the current user may not see keys. */
  keys: ManagedKey[] | undefined;
}

function Consequences({ sessions, keys }: ConsequencesProps) {
  return (
    <>
      <ul className="list-disc ps-5 text-control">
        <li>{t("{sessions} open sessions", { sessions })}</li>
        {keys ? <li>{keysInWords(keys)}</li> : null}
        {keys
          ?.filter((key) => key.lastUsedAt)
          .map((key) => (
            <li key={key.apiKeyId}>
              <KeyInUse apiKey={key} />
            </li>
          ))}
      </ul>
      {keys && keys.length > 0 ? (
        <p className="text-body text-muted">
          {t(
            "To keep a key working, first hand it over to a service user on the owner's API keys page.",
          )}
        </p>
      ) : null}
    </>
  );
}

/** The last operation and origin of a key that stops working. */
function KeyInUse({ apiKey }: { apiKey: ManagedKey }) {
  const { name, lastUsedAt, lastUsedIp, lastUsedOperation } = apiKey;
  const parts = {
    name,
    calls: callsInWords([apiKey]),
    when: <Instant at={lastUsedAt ?? ""} />,
    address: lastUsedIp,
    operation: lastUsedOperation,
  };
  if (lastUsedIp && lastUsedOperation)
    return rich('Key "{name}", {calls}, used {when} from {address} for {operation}', parts);
  if (lastUsedIp) return rich('Key "{name}", {calls}, used {when} from {address}', parts);
  if (lastUsedOperation) return rich('Key "{name}", {calls}, used {when} for {operation}', parts);
  return rich('Key "{name}", {calls}, used {when}', parts);
}
