import { msg, t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Instant } from "@/components/ui/instant";
import type { WebhookDelivery } from "@/lib/features/destinations/webhooks/deliveries-contract";

/** The event type without the common prefix. */
export const eventName = ({ type }: Pick<WebhookDelivery, "type">) =>
  type.replace(/^gatehouse\./, "");

/** The last attempt of a delivery with its time and result. */
export function LastAttempt({ delivery }: { delivery: WebhookDelivery }) {
  const last = delivery.attempts.at(-1);
  if (!last) return t("none yet");
  return (
    <>
      <Instant at={last.at} /> {last.status ?? t("no response")}
    </>
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

/** The labels in a row. */
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
