import { msg, t } from "@/components/texts/t";
import { Badge } from "@/components/ui/badge";
import { Instant } from "@/components/ui/instant";
import type { WebhookDelivery } from "@/lib/features/destinations/webhooks/deliveries-contract";

/** What happened, without the name that all types share. */
export const eventName = ({ type }: Pick<WebhookDelivery, "type">) =>
  type.replace(/^gatehouse\./, "");

/** When a delivery was last tried, and what came of it. */
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
