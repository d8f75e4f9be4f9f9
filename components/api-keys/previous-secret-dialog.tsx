"use client";

import { useQuery } from "@tanstack/react-query";
import { usePortal } from "@/components/shell/portal";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ErrorNotice } from "@/components/ui/error-notice";
import { Instant } from "@/components/ui/instant";
import { Skeleton } from "@/components/ui/skeleton";
import { notify } from "@/components/ui/toast";
import type { KeyDialogProps } from "./key-dialogs";

/** Who still uses the secret before the rotation: when nobody does, it is safe to retire. */
export function PreviousSecretDialog({ apiKey, whose, onDone, onClose }: KeyDialogProps) {
  const { view, call } = usePortal();
  const params = { apiKeyId: apiKey.apiKeyId };
  const details = useQuery({
    queryKey: [view.tenant, "api-key", apiKey.apiKeyId],
    queryFn: ({ signal }) =>
      call(
        whose === "own"
          ? "GET /v1/user/profile/api-keys/{apiKeyId}"
          : "GET /v1/user/api-keys/{apiKeyId}",
        { params, signal },
      ),
    refetchInterval: 5000,
  });
  const retire = async () => {
    await call("POST /v1/user/profile/api-keys/{apiKeyId}/retire-previous", { params });
    onDone();
    onClose();
    void notify(`The previous secret of "${apiKey.name}" is retired`);
  };
  const uses = details.data?.previousUses ?? [];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`The previous secret of "${apiKey.name}"`}
      description="It was replaced and keeps working until its overlap ends."
    >
      {details.error ? (
        <ErrorNotice title="Its uses could not be read" detail={details.error.message} />
      ) : null}
      {details.isPending ? <Skeleton className="h-16" /> : null}
      {details.data && uses.length === 0 ? (
        <p className="text-control">Nobody used it since the rotation. It is safe to retire.</p>
      ) : null}
      <ul className="flex flex-col gap-2">
        {uses.map((use) => (
          <li key={`${use.address} ${use.agent}`} className="text-body">
            <span className="font-medium">{use.address}</span>, <Instant at={use.lastSeenAt} />
            <span className="block break-all text-meta text-muted">
              {use.agent || "no agent given"}
            </span>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        {whose === "own" ? (
          <Button tone="danger" onClick={() => void retire()}>
            Retire previous secret
          </Button>
        ) : null}
      </DialogActions>
    </Dialog>
  );
}
