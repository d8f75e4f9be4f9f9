import { quote } from "@/lib/features/mail/quote";
import { type Recipient, writer } from "@/lib/features/mail/worker";
import { findConfirmedAddress } from "@/lib/features/users/rows";
import { publicUrl } from "@/lib/protocol/settings";
import { findRecipient } from "./recipients";
import { type AlertRow, type EntryRow, findAlertRow, findNewestFiring } from "./rows";
import { measureNames, valueText } from "./values";

interface Concerned extends Recipient {
  alert: AlertRow;
  /** Its newest firing or end of one. */
  entry: EntryRow;
}

const ends = {
  recovered: "It resolved: the calls are within the threshold again.",
  "no-data": "It ended: there are no more calls to measure.",
  changed: "It ended: the rule was changed.",
} as const;

/** "2 December 2026 at 14:00 UTC" */
const written = new Intl.DateTimeFormat("en-GB", {
  ...{ dateStyle: "long", timeStyle: "short", timeZone: "UTC" },
});

/** What was measured; of a rule that was changed since, nothing can be said. */
function figures({ alert, entry }: Concerned): string {
  const { measure } = alert;
  const { reading, threshold, reason } = entry;
  if (reason === "changed" || reading === null || threshold === null) return "";
  const limit = `threshold ${valueText(measure, threshold)}`;
  return `${measureNames[measure]}: ${valueText(measure, reading.value)} (${limit})\nCalls: ${reading.calls}\n`;
}

function textOf(to: Concerned): string {
  const { tenantId, alertId, name, siteId } = to.alert;
  const { kind, at, reason } = to.entry;
  const site = siteId === null ? "" : `Site: ${siteId}\n`;
  return [
    kind === "fired" ? `${quote(name)} fires.` : `${quote(name)}: ${ends[reason ?? "recovered"]}`,
    `${figures(to)}${site}Tenant: ${tenantId}\nSince: ${written.format(at)} UTC`,
    `Details: ${publicUrl()}/t/${tenantId}/alerts/${alertId}`,
    "You get this mail because the alert names you. Whoever may change alerts can remove you there.",
  ].join("\n\n");
}

/** The mail of a rule that fired or resolved. It says how the rule is when it is sent, to those who may still read its calls. */
export const alertMailWriter = writer<Concerned>({
  recipient: async ({ tenantId, alertId, userId }) => {
    if (alertId === null || userId === null) return undefined;
    const alert = await findAlertRow({ tenantId, alertId });
    if (!alert?.mailTo.includes(userId)) return undefined;
    const entry = await findNewestFiring(alert);
    const to = entry && (await findRecipient(alert, userId));
    const isConfirmed = to && (await findConfirmedAddress(to.row)) === to.address;
    return isConfirmed ? { ...to, alert, entry } : undefined;
  },
  write: async (_mail, to) => ({
    subject: `${to.entry.kind === "fired" ? "Firing" : "Resolved"}: ${quote(to.alert.name)}`,
    text: textOf(to),
  }),
});
