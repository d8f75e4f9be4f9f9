import type { z } from "zod";
import { type Caller, siteOfScope } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import { type Transaction, transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { assertQuota } from "@/lib/features/quotas/quotas";
import type { AssertUnchanged } from "@/lib/http/answer";
import type { AuditChanges } from "@/lib/protocol/documents/audit-entry";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import { announce, targetOf } from "./announce";
import type { Alert, AlertChange, AlertEntry, NewAlert } from "./contract";
import { assertRecipients } from "./mail";
import {
  type AlertKey,
  type AlertRow,
  addEntry,
  deleteAlertRow,
  getAlertRow,
  insertAlert,
  lockAlert,
  selectAlerts,
  selectEntries,
  setAlert,
  toAlert,
  toEntry,
} from "./rows";
import { ruleOf } from "./rules";
import type { AlertStatus } from "./values";

interface Paging {
  limit: number;
  cursor?: string | undefined;
}

/** The rules that the caller may see, newest first. */
export async function listAlerts(
  caller: Caller,
  { limit, cursor, status }: Paging & { status?: AlertStatus | undefined },
): Promise<Page<Alert>> {
  const { tenantId } = caller;
  const site = siteOfScope(caller, "api-metric.read");
  const before = readCursor(cursor, 1)?.[0];
  const rows = await selectAlerts({ tenantId, site, status, before, limit: limit + 1 });
  const page = cutPage(rows, limit, (row) => [row.alertId]);
  return { items: page.items.map((row) => toAlert(row)), next: page.next };
}

/** A request about one rule. */
export interface Asking {
  caller: Caller;
  params: { id: string };
}

/** The key of the requested rule, limited to the caller's site if the caller has authority at one site only. */
export function keyOf(
  { caller, params: { id: alertId } }: Asking,
  permission: "api-metric.read" | "api-metric.write",
): AlertKey {
  return { tenantId: caller.tenantId, alertId, site: siteOfScope(caller, permission) };
}

/** Throws 404. */
export const getAlert = async (asking: Asking): Promise<Alert> =>
  toAlert(await getAlertRow(keyOf(asking, "api-metric.read")));

/** The history of a rule, newest first. Throws 404. */
export async function listAlertEntries(
  asking: Asking & { query: Paging },
): Promise<Page<AlertEntry>> {
  const { limit, cursor } = asking.query;
  const key = keyOf(asking, "api-metric.read");
  await getAlertRow(key);
  const before = readCursor(cursor, 1, (text) => /^\d{1,9}$/.test(text))?.[0];
  const rows = await selectEntries(key, before ? Number(before) : undefined, limit + 1);
  const page = cutPage(rows, limit, (row) => [String(row.number)]);
  return { items: page.items.map(toEntry), next: page.next };
}

export function recordChange(
  tx: Transaction,
  caller: Caller,
  row: Pick<AlertRow, "alertId" | "name">,
  { action, changes = {} }: { action: string; changes?: AuditChanges },
): Promise<void> {
  return record(tx, actingAs(caller), { action, target: targetOf(row), changes });
}

/** The fields of a rule for its audit entry, with the names of the API. */
function factsOf(row: AlertRow) {
  const { name, measure, filter, threshold, windowMinutes, minimumCount, mailTo } = row;
  return { name, measure, filter, threshold, windowMinutes, minimumCount, mailTo };
}

/** Creates a rule; its first check runs within seconds. Throws 400 and 429. */
export async function createAlert(
  caller: Caller,
  { name, mailTo: named, ...given }: z.output<typeof NewAlert>,
): Promise<Alert> {
  const { tenantId } = caller;
  const rule = ruleOf(caller, given, "api-metric.write");
  const siteId = rule.filter.site ?? null;
  const mailTo = [...new Set(named)];
  await assertRecipients({ tenantId, siteId }, mailTo);
  const [alertId, now] = [newId("alr"), new Date()];
  const row = {
    ...{ tenantId, alertId, name, ...rule, siteId, mailTo },
    ...{ createdAt: now, status: "pending" as const, since: now, dueAt: now },
  } as const;
  return transactionFor(caller, async (tx) => {
    const facts = { name, ...rule, ...(mailTo.length > 0 ? { mailTo } : {}) };
    const changes = Object.entries(facts).map(([field, after]) => [field, { after }]);
    const fact = { action: "alert.created", changes: Object.fromEntries(changes) };
    await recordChange(tx, caller, row, fact);
    const inserted = await insertAlert(tx, row);
    await assertQuota(tx, tenantId, "alerts");
    return toAlert(inserted);
  });
}

/** Restarts a rule whose condition changed, and ends a firing under the previous condition. */
async function startAnew(
  tx: Transaction,
  caller: Caller,
  before: AlertRow,
  set: Partial<AlertRow>,
): Promise<AlertRow> {
  const now = new Date();
  const { status, isAnnounced, reading, threshold } = before;
  if (status === "firing") {
    const facts = { reading, threshold, reason: "changed" } as const;
    await addEntry(tx, before, { at: now, kind: "resolved", ...facts });
    if (isAnnounced) await announce(tx, "resolved", before, "changed");
  }
  await addEntry(tx, before, { at: now, kind: "changed", userId: caller.userId });
  return setAlert(tx, before, {
    ...set,
    ...{ status: "pending", since: now, checkedTo: null, reading: null, dueAt: now },
    ...{ isAnnounced: false, acknowledgedAt: null, acknowledgedBy: null },
  });
}

/** The rule as it is after a change. Throws 400. */
function changedRow(caller: Caller, before: AlertRow, given: z.output<typeof AlertChange>) {
  const { name = before.name, window = before.windowMinutes * 60 } = given;
  const { measure, filter, threshold, minimumCount } = { ...before, ...known(given) };
  const wanted = { measure, filter, threshold, minimumCount, window };
  const rule = ruleOf(caller, wanted, "api-metric.write");
  const mailTo = [...new Set(given.mailTo ?? before.mailTo)];
  return { ...before, name, ...rule, siteId: rule.filter.site ?? null, mailTo };
}

const known = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Given]?: Exclude<Given[Name], undefined>;
  };

/** Changes what is given. Throws 400, 404 and 412. */
export async function updateAlert(
  asking: Asking & { body: z.output<typeof AlertChange> },
  assertUnchanged: AssertUnchanged,
): Promise<Alert> {
  const { caller, body } = asking;
  return transaction(async (tx) => {
    const before = await lockAlert(tx, keyOf(asking, "api-metric.write"));
    await assertUnchanged(() => toAlert(before));
    const wanted = changedRow(caller, before, body);
    await assertRecipients(wanted, wanted.mailTo, before.mailTo);
    const [from, to] = [factsOf(before), factsOf(wanted)] as Record<string, unknown>[];
    const names = Object.keys({ ...to }).filter(
      (name) => JSON.stringify(from?.[name]) !== JSON.stringify(to?.[name]),
    );
    if (names.length === 0) return toAlert(before);
    const isSameRule = names.every((name) => name === "name" || name === "mailTo");
    const set = { ...factsOf(wanted), siteId: wanted.siteId };
    const after = isSameRule
      ? await setAlert(tx, before, set)
      : await startAnew(tx, caller, before, set);
    const changes = names.map((one) => [one, { before: from?.[one], after: to?.[one] }]);
    const fact = { action: "alert.updated", changes: Object.fromEntries(changes) };
    await recordChange(tx, caller, after, fact);
    return toAlert(after);
  });
}

/** Deletes a rule with its history. Throws 404 and 412. */
export async function deleteAlert(asking: Asking, assertUnchanged: AssertUnchanged): Promise<void> {
  await transaction(async (tx) => {
    const key = keyOf(asking, "api-metric.write");
    const row = await lockAlert(tx, key);
    await assertUnchanged(() => toAlert(row));
    await deleteAlertRow(tx, key);
    const changes = { name: { before: row.name } };
    await recordChange(tx, asking.caller, row, { action: "alert.deleted", changes });
  });
}
