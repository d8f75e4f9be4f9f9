import { quote } from "@/lib/features/mail/quote";
import type { Words } from "@/lib/features/mail/words";
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
  recovered: "{name}: It resolved: the calls are within the threshold again.",
  "no-data": "{name}: It ended: there are no more calls to measure.",
  changed: "{name}: It ended: the rule was changed.",
} as const;

/** What was measured; of a rule that was changed since, nothing can be said. */
function figures({ alert, entry }: Concerned, { say }: Words): string[] {
  const { measure } = alert;
  const { reading, threshold, reason } = entry;
  if (reason === "changed" || reading === null || threshold === null) return [];
  const value = valueText(measure, reading.value);
  const limit = say("threshold {value}", { value: valueText(measure, threshold) });
  return [
    `${say(measureNames[measure])}: ${value} (${limit})`,
    say("Calls: {count}", { count: reading.calls }),
  ];
}

function textOf(to: Concerned, words: Words): string {
  const { tenantId, alertId, name, siteId } = to.alert;
  const { kind, at, reason } = to.entry;
  const { say, instant } = words;
  const facts = [
    ...figures(to, words),
    ...(siteId === null ? [] : [say("Site: {site}", { site: siteId })]),
    say("Tenant: {tenant}", { tenant: tenantId }),
    say("Since: {when}", { when: instant(at) }),
  ];
  return [
    say(kind === "fired" ? "{name} fires." : ends[reason ?? "recovered"], { name: quote(name) }),
    facts.join("\n"),
    say("Details: {link}", { link: `${publicUrl()}/t/${tenantId}/alerts/${alertId}` }),
    say(
      "You get this mail because the alert names you. Whoever may change alerts can remove you there.",
    ),
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
  write: async (_mail, to, words) => ({
    subject: words.say(to.entry.kind === "fired" ? "Firing: {name}" : "Resolved: {name}", {
      name: quote(to.alert.name),
    }),
    text: textOf(to, words),
  }),
});
