import { msg, t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import type { Webhook } from "@/lib/features/webhooks/contract";
import type { WebhookDelivery } from "@/lib/features/webhooks/deliveries-contract";

/** Whether events are sent, and whether they arrive. */
export function WebhookState({ webhook }: { webhook: Webhook }) {
  if (webhook.status === "disabled")
    return (
      <Badge tone={webhook.disabledReason === "by-user" ? "neutral" : "danger"} dot>
        {t("disabled")}
      </Badge>
    );
  if (webhook.failingSince)
    return (
      <Badge tone="warning" dot>
        {t("failing")}
      </Badge>
    );
  return (
    <Badge tone="success" dot>
      {t("enabled")}
    </Badge>
  );
}

export const deliveryTones = {
  delivered: "success",
  pending: "warning",
  failed: "danger",
} as const;

export const deliveryNames = {
  pending: msg("Pending"),
  delivered: msg("Delivered"),
  failed: msg("Failed"),
} as const;

/** As they stand in a row. */
const deliveryStates = {
  pending: msg("pending"),
  delivered: msg("delivered"),
  failed: msg("failed"),
} as const;

export function DeliveryState({ status }: Pick<WebhookDelivery, "status">) {
  return (
    <Badge tone={deliveryTones[status]} dot>
      {t(deliveryStates[status])}
    </Badge>
  );
}
