"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CallFailed } from "@/components/ui/error-notice";
import { useAction } from "@/components/ui/form/use-action";
import { Instant } from "@/components/ui/instant";
import { Loaded } from "@/components/ui/loaded";
import { notify } from "@/components/ui/toast";
import type { Answer } from "@/lib/catalogue/client";
import type { KeyDialogProps } from "./key-dialog-props";
import { keyKeys } from "./query-keys";

type Details = Answer<"GET /v1/user/profile/api-keys/{apiKeyId}">;

const operations = {
  own: "GET /v1/user/profile/api-keys/{apiKeyId}",
  managed: "GET /v1/user/api-keys/{apiKeyId}",
} as const;

/** The callers that still use the previous secret: when there are none, it is safe to retire. */
export function PreviousSecretDialog({ apiKey, whose, onDone, onClose }: KeyDialogProps) {
  const { view, call } = usePortal();
  const params = { apiKeyId: apiKey.apiKeyId };
  const details = useQuery({
    queryKey: keyKeys.one(view.tenant, apiKey.apiKeyId),
    queryFn: ({ signal }) => call(operations[whose], { params, signal }),
    refetchInterval: 5000,
  });
  const retire = useAction(async () => {
    await call("POST /v1/user/profile/api-keys/{apiKeyId}/retire-previous", { params });
    onDone();
    onClose();
    void notify(t('The previous secret of "{name}" is retired', { name: apiKey.name }));
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('The previous secret of "{name}"', { name: apiKey.name })}
      description={t("It was replaced and stays valid until the overlap ends.")}
    >
      <Loaded found={details} failed={t("Its uses could not be loaded")} skeleton="h-16">
        {({ previousUses }) => <Uses uses={previousUses} />}
      </Loaded>
      {retire.error ? (
        <CallFailed title={t("The secret was not retired")} error={retire.error} />
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>{t("Keep it")}</Button>
        {whose === "own" ? (
          <Button tone="final" busy={retire.busy} onClick={() => void retire.run()}>
            {t("Retire previous secret")}
          </Button>
        ) : null}
      </DialogActions>
    </Dialog>
  );
}

function Uses({ uses }: { uses: Details["previousUses"] }) {
  if (uses.length === 0)
    return (
      <p className="text-control">
        {t("It has not been used since the rotation. You can retire it safely.")}
      </p>
    );
  return (
    <ul className="flex flex-col gap-2">
      {uses.map((use) => (
        <li key={`${use.address} ${use.agent}`} className="text-body">
          <span className="font-medium">{use.address}</span>, <Instant at={use.lastSeenAt} />
          <span className="block break-all text-meta text-muted">
            {use.agent || t("no agent given")}
          </span>
        </li>
      ))}
    </ul>
  );
}
