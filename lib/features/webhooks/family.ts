import { tenantsWithWebhooks } from "@/lib/database/global";
import { failuresUntilProbing, retryDelayMs } from "@/lib/features/delivery/back-off";
import type { Family } from "@/lib/features/delivery/family";
import { webhookLeases } from "./lease-rows";
import { deliver } from "./worker";

export const webhookFamily: Family = {
  tenants: tenantsWithWebhooks,
  leases: webhookLeases,
  endOf: (end) => end,
  waitsAfter: failuresUntilProbing,
  interruptedMs: retryDelayMs,
  deliver: ({ lease: { tenantId, destinationId, holder }, ...work }) =>
    deliver({ ...work, lease: { tenantId, webhookId: destinationId, holder } }),
};
