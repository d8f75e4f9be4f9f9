import type { Caller } from "@/lib/access/caller";
import { newId } from "@/lib/database/ids";
import { transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { typePrefix } from "@/lib/features/events/catalogue";
import type { CloudEvent } from "@/lib/features/events/contract";
import { getWebhookRow, signingSecrets } from "./rows";
import { sendEvent } from "./send";

/** A test event, without a fact of the tenant. */
function testEvent({ tenantId, userId, requestId }: Caller, webhookId: string): CloudEvent {
  return {
    specversion: "1.0",
    id: newId("evt"),
    source: `/tenants/${tenantId}`,
    type: `${typePrefix}webhook.tested`,
    subject: `webhook/${webhookId}`,
    time: new Date().toISOString(),
    datacontenttype: "application/json",
    data: {
      actor: { type: "user", id: userId },
      target: { type: "webhook", id: webhookId },
      changes: {},
      requestId,
      result: "success",
    },
  };
}

/** Sends one event to a webhook, enabled or not, and returns the outcome. Throws 404. */
export async function testWebhook(caller: Caller, id: string) {
  const row = await getWebhookRow(caller.tenantId, id);
  const event = testEvent(caller, id);
  await transaction((tx) =>
    record(tx, actingAs(caller), {
      action: "webhook.tested",
      target: { type: "webhook", id, name: new URL(row.url).host.slice(0, 128) },
    }),
  );
  const to = { url: row.url, secrets: signingSecrets(row, new Date()) };
  const { isDelivered, ...attempt } = await sendEvent(to, {
    eventId: event.id,
    body: JSON.stringify(event),
  });
  return { eventId: event.id, delivered: isDelivered, attempt };
}
