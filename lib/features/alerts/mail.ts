import { permissionScope } from "@/lib/access/caller";
import { describeCredential } from "@/lib/access/credential-store";
import { isLockedAt } from "@/lib/access/locks";
import { db } from "@/lib/database/open";
import { quote } from "@/lib/features/mail/queue";
import type { Words } from "@/lib/features/mail/words";
import { type Recipient, writer } from "@/lib/features/mail/worker";
import { findConfirmedAddress, findUserRow, type UserRow } from "@/lib/features/users/rows";
import { invalid, type Problem } from "@/lib/protocol/errors";
import { publicUrl } from "@/lib/protocol/settings";
import { type AlertRow, type EntryRow, findAlertRow, findNewestFiring } from "./rows";
import { measureNames, valueText } from "./values";

/** The tenant and site whose calls a rule measures. */
type Scope = Pick<AlertRow, "tenantId" | "siteId">;

/** The recipient; undefined unless the user is an active person who may read the rule's calls. */
async function findRecipient(
  { tenantId, siteId }: Scope,
  userId: string,
): Promise<(Recipient & { row: UserRow }) | undefined> {
  const found = await describeCredential(tenantId, { userId });
  if (!found || found.deactivated || found.principal.isServiceUser) return undefined;
  const now = new Date();
  if (found.locks.some((lock) => isLockedAt(lock, now))) return undefined;
  const holder = { roles: found.principal.roles, siteId: siteId ?? undefined };
  if (permissionScope({ ...holder, keyRestrictions: undefined }, "api-metric.read") === undefined)
    return undefined;
  const row = await findUserRow(db(), { tenantId, userId });
  if (row?.state !== "active" || row.erasedAt !== null) return undefined;
  return { userId, address: row.emailAddress, language: row.preferences.language, row };
}

/** Throws 400 for recipients who may not read these calls. Those in `before` are not checked: one who lost the permission gets no mail. */
export async function assertRecipients(
  scope: Scope,
  userIds: readonly string[],
  before: readonly string[] = [],
): Promise<void> {
  const problems: Problem[] = [];
  for (const [index, userId] of userIds.entries()) {
    if (before.includes(userId)) continue;
    if (await findRecipient(scope, userId)) continue;
    const pointer = `/mailTo/${index}`;
    const detail = `${pointer} must be the id of an active person who may read these calls.`;
    problems.push({ pointer, detail });
  }
  if (problems.length > 0) throw invalid(problems);
}

interface Concerned extends Recipient {
  alert: AlertRow;
  /** The newest entry that is the start or end of a firing. */
  entry: EntryRow;
}

const ends = {
  recovered: "{name}: It resolved: the calls are within the threshold again.",
  "no-data": "{name}: It ended: there are no more calls to measure.",
  changed: "{name}: It ended: the rule was changed.",
} as const;

/** The measured values; empty if the firing ended because the rule was changed. */
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

/** The mail of a rule that fired or resolved. It states the status at the time of sending, and goes to users who may read its calls. */
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
