import type { Transaction } from "@/lib/database/open";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { queueAlertMails } from "@/lib/features/mail/queue";
import type { AuditTarget } from "@/lib/protocol/documents/audit-entry";
import type { AlertRow } from "./rows";

/** A rule as the trail names it. */
export const targetOf = ({
  alertId: id,
  name,
}: Pick<AlertRow, "alertId" | "name">): AuditTarget => ({
  type: "alert",
  id,
  name,
});

/** The consequences of a firing, or of its end. */
export type Announced = Pick<
  AlertRow,
  "tenantId" | "alertId" | "name" | "measure" | "threshold" | "siteId" | "reading" | "mailTo"
>;

const actions = { fired: "alert.fired", resolved: "alert.resolved" } as const;

/**
 * Says that a rule fired or resolved: the one place where that leaves the service. The entry of the trail is an event, which webhooks and
 * streams deliver. It is written in the transaction of the change, so that neither comes without the other, and none twice. Mails to the
 * people whom the rule names are queued in the same transaction.
 */
export async function announce(
  tx: Transaction,
  kind: keyof typeof actions,
  alert: Announced,
  reason?: string,
): Promise<void> {
  const { tenantId, measure, threshold, siteId, reading } = alert;
  const facts = {
    ...{ measure, threshold, reason, site: siteId ?? undefined },
    ...{ value: reading?.value, shortValue: reading?.shortValue, calls: reading?.calls },
  };
  const known = Object.entries(facts).filter(([, after]) => after !== undefined && after !== null);
  await record(tx, actingAsSystem(tenantId, "alerts"), {
    action: actions[kind],
    target: targetOf(alert),
    changes: Object.fromEntries(known.map(([name, after]) => [name, { after }])),
  });
  await queueAlertMails(tx, alert);
}
