import { newId } from "@/lib/database/ids";
import { transaction } from "@/lib/database/open";
import { targetOf } from "@/lib/features/alerts/announce";
import { checkDueAlerts } from "@/lib/features/alerts/check";
import { insertAlert } from "@/lib/features/alerts/rows";
import { actingAsSystem, record } from "@/lib/features/audit/service";

const tenantId = "demo";

const rules = [
  {
    name: "Preview writes fail",
    measure: "error-rate",
    filter: { endpoint: "PUT /pim/preview/{key}/configuration" },
    ...{ threshold: 0.05, windowMinutes: 60, minimumCount: 50 },
  },
  {
    name: "EU store is slow",
    measure: "latency-p95",
    filter: { site: "eu-store" },
    ...{ threshold: 800, windowMinutes: 30, minimumCount: 100 },
  },
  {
    name: "Order import is silent",
    measure: "silence",
    filter: { endpoint: "POST /orders/import" },
    ...{ threshold: 0, windowMinutes: 60, minimumCount: 100 },
  },
] as const;

/** Adds rules to the demo tenant, and checks them: the traffic of one of them has stopped. */
export async function addDemoAlerts(): Promise<void> {
  const acting = actingAsSystem(tenantId, "first-run");
  const now = new Date();
  await transaction(async (tx) => {
    for (const rule of rules) {
      const siteId = "site" in rule.filter ? rule.filter.site : null;
      const row = { tenantId, alertId: newId("alr"), ...rule, siteId };
      const changes = { name: { after: rule.name }, measure: { after: rule.measure } };
      const target = targetOf(row);
      await record(tx, acting, { action: "alert.created", target, changes });
      const times = { createdAt: now, since: now, dueAt: now };
      await insertAlert(tx, { ...row, ...times, status: "pending" });
    }
  });
  await checkDueAlerts(tenantId);
}
