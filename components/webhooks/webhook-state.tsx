import { Badge } from "@/components/ui/badge";
import type { Webhook } from "@/lib/features/webhooks/contract";
import type { WebhookDelivery } from "@/lib/features/webhooks/deliveries-contract";

/** Whether events are sent, and whether they arrive. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  if (webhook.status === "disabled")
    return (
      <Badge tone={webhook.disabledReason === "by-user" ? "neutral" : "danger"} dot>
        disabled
      </Badge>
    );
  if (webhook.failingSince)
    return (
      <Badge tone="warning" dot>
        failing
      </Badge>
    );
  return (
    <Badge tone="success" dot>
      enabled
    </Badge>
  );
}

export const deliveryTones = {
  delivered: "success",
  pending: "warning",
  failed: "danger",
} as const;

export function DeliveryState({ status }: Pick<WebhookDelivery, "status">) {
  return (
    <Badge tone={deliveryTones[status]} dot>
      {status}
    </Badge>
  );
}
