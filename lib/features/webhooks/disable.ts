import { transaction } from "@/lib/database/open";
import { record } from "@/lib/features/audit/service";
import { actingAsSystem } from "@/lib/features/audit/system";
import { log } from "@/lib/protocol/log";
import { assertLeaseWithin, type Lease } from "./lease-rows";
import { getWebhookRow } from "./rows";

/** Disables an endpoint on behalf of the service: the entry of the trail, which is an event too, says why. */
export async function disableFailing(lease: Lease, reason: "failing" | "gone"): Promise<void> {
  const { tenantId, webhookId } = lease;
  const off = { disabledAt: new Date(), disabledReason: reason, leaseHolder: null } as const;
  await transaction(async (tx) => {
    if (!(await assertLeaseWithin(tx, lease, off))) return;
    const { url } = await getWebhookRow(tenantId, webhookId, tx);
    await record(tx, actingAsSystem(tenantId, "webhooks"), {
      action: "webhook.disabled",
      target: { type: "webhook", id: webhookId, name: new URL(url).host.slice(0, 128) },
      changes: { reason: { after: reason } },
    });
  });
  log().warn({ tenantId, webhookId, reason }, "a webhook was disabled");
}
