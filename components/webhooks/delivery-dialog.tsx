"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Attempts } from "@/components/destinations/attempts";
import { usePortal } from "@/components/shell/portal";
import { t } from "@/components/texts/t";
import { Button } from "@/components/ui/button";
import { CallFailed } from "@/components/ui/call-failed";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { useAction } from "@/components/ui/form/use-action";
import { Loaded } from "@/components/ui/loaded";
import { notify } from "@/components/ui/toast";
import { DeliveryState } from "./delivery-words";
import { webhookKeys } from "./query-keys";
import { useDeliveryQuery } from "./webhook-queries";

interface DeliveryDialogProps {
  id: string;
  deliveryId: string;
  onClose: () => void;
}

/** A delivery: the body as it was sent, each attempt, and sending it again. */
export function DeliveryDialog({ id, deliveryId, onClose }: DeliveryDialogProps) {
  const { view, call } = usePortal();
  const queries = useQueryClient();
  const found = useQuery(useDeliveryQuery(id, deliveryId));
  const { busy, error, run } = useAction(async () => {
    const params = { id, deliveryId };
    await call("POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver", { params });
    void notify(t("The event is sent again"));
    await queries.invalidateQueries({ queryKey: webhookKeys.all(view.tenant) });
    onClose();
  });
  return (
    <Dialog open onOpenChange={onClose} title={t("Delivery")} description={deliveryId} wide>
      <Loaded found={found} failed={t("The delivery could not be loaded")} skeleton="h-64">
        {(delivery) => (
          <div className="flex flex-col gap-4">
            <p className="flex flex-wrap items-center gap-2">
              <code>{delivery.type}</code>
              <DeliveryState status={delivery.status} />
            </p>
            <CodeBlock code={delivery.body} label={t("the body")} />
            <Attempts attempts={delivery.attempts} />
          </div>
        )}
      </Loaded>
      {error ? <CallFailed title={t("The event was not sent again")} error={error} /> : null}
      <DialogActions>
        <Button onClick={onClose}>{t("Close")}</Button>
        <Button tone="primary" busy={busy} onClick={() => void run()}>
          {t("Redeliver")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
