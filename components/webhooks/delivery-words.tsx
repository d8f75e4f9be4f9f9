import { t } from "@/components/texts/t";
import { Instant } from "@/components/ui/instant";
import type { WebhookDelivery } from "@/lib/features/webhooks/deliveries-contract";

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
