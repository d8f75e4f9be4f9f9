import type { Transaction } from "@/lib/database/open";
import { actingAsSystem, record } from "@/lib/features/audit/service";
import { queueAlertMails } from "@/lib/features/mail/queue";
import type { AuditTarget } from "@/lib/protocol/documents/audit-entry";
import type { AlertRow } from "./rows";

/** The rule as the target of an audit entry. */
export const targetOf = ({
  alertId: id,
  name,
}: Pick<AlertRow, "alertId" | "name">): AuditTarget => ({
  type: "alert",
  id,
  name,
});

/** The columns of a rule that an announcement needs. */
export type Announced = Pick<
  AlertRow,
  "tenantId" | "alertId" | "name" | "measure" | "threshold" | "siteId" | "reading" | "mailTo"
>;

const actions = { fired: "alert.fired", resolved: "alert.resolved" } as const;

/**
 * Announces that a rule fired or resolved; nothing else does. Webhooks and streams deliver the audit entry as an event. The entry is
 * written in the transaction of the change, so neither exists without the other and neither is written twice. Mails to the recipients of
 * the rule are queued in the same transaction.
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
