import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { newId } from "@/lib/database/ids";
import { type Transaction, transaction } from "@/lib/database/open";
import { actingAs, record } from "@/lib/features/audit/service";
import { maxOverlapDays } from "@/lib/features/destinations/values";
import { wakeTenant } from "@/lib/features/events/delivery/lease";
import { assertNoRotation, secretText } from "@/lib/features/events/delivery/send";
import { urlProblem } from "@/lib/features/events/delivery/target";
import { assertQuota } from "@/lib/features/quotas/quotas";
import type { AssertUnchanged } from "@/lib/http/answer";
import type { AuditChanges } from "@/lib/protocol/documents/audit-entry";
import { invalid } from "@/lib/protocol/errors";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type { NewWebhook, Webhook, WebhookChange } from "./contract";
import {
  deleteWebhookRow,
  getWebhookRow,
  insertWebhook,
  lockWebhook,
  newSecret,
  sealed,
  selectWebhooks,
  setWebhook,
  toWebhook,
  type WebhookRow,
} from "./rows";

const dayMs = 86_400_000;

/** The tenant's webhooks, newest first. */
export async function listWebhooks(
  { tenantId }: Caller,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<Webhook>> {
  const rows = await selectWebhooks(tenantId, readCursor(cursor, 1)?.[0], limit + 1);
  const page = cutPage(rows, limit, (row) => [row.webhookId]);
  return { items: page.items.map((row) => toWebhook(row)), next: page.next };
}

export async function getWebhook({ tenantId }: Caller, id: string): Promise<Webhook> {
  return toWebhook(await getWebhookRow(tenantId, id));
}

interface Given {
  url?: string | undefined;
  site?: string | null | undefined;
}

/** Throws 400 for a URL that is not allowed, and for an unknown site. */
function assertSuitable({ siteIds }: Caller, { url, site }: Given): void {
  const wrong = url === undefined ? undefined : urlProblem(url);
  const isUnknown = site !== undefined && site !== null && !siteIds.has(site);
  const problems = [
    ...(wrong === undefined ? [] : [{ pointer: "/url", detail: `/url ${wrong}.` }]),
    ...(isUnknown ? [{ pointer: "/site", detail: "/site must be a site of the tenant." }] : []),
  ];
  if (problems.length > 0) throw invalid(problems);
}

/** A request about one webhook. */
interface Asking {
  caller: Caller;
  params: { id: string };
}

const nameOf = (url: string) => new URL(url).host.slice(0, 128);

function recordChange(
  tx: Transaction,
  caller: Caller,
  { webhookId, url }: Pick<WebhookRow, "webhookId" | "url">,
  { action, changes = {} }: { action: string; changes?: AuditChanges },
): Promise<void> {
  const target = { type: "webhook", id: webhookId, name: nameOf(url) };
  return record(tx, actingAs(caller), { action, target, changes });
}

/** Creates a webhook. Only the sealed secret is stored: no later response can return it. Throws 400. */
export async function createWebhook(
  caller: Caller,
  { url, types, site, description }: z.output<typeof NewWebhook>,
): Promise<Webhook & { secret: string }> {
  assertSuitable(caller, { url, site });
  const { tenantId } = caller;
  const [webhookId, secret] = [newId("wh"), newSecret()];
  const given = { url: new URL(url).href, types: [...new Set(types)], siteId: site, description };
  const row = { tenantId, webhookId, ...given, secret: sealed(secret, webhookId) };
  const created = await transactionFor(caller, async (tx) => {
    const changes = {
      url: { after: given.url },
      types: { after: given.types },
      ...(site === null ? {} : { site: { after: site } }),
    };
    await recordChange(tx, caller, row, { action: "webhook.created", changes });
    const inserted = await insertWebhook(tx, { ...row, createdAt: new Date() });
    await assertQuota(tx, tenantId, "webhooks");
    return inserted;
  });
  wakeTenant(tenantId);
  return { ...toWebhook(created), secret: secretText(secret) };
}

/** The columns that differ from the stored ones. */
function differences(row: WebhookRow, given: z.output<typeof WebhookChange>) {
  const { url, types, site: siteId, description } = given;
  const wanted = { url: url && new URL(url).href, types: types && [...new Set(types)] };
  const all = Object.entries({ ...wanted, siteId, description }) as [keyof WebhookRow, unknown][];
  return all.filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(row[name]),
  );
}

/** Changes what is given. Throws 400, 404 and 412. */
export async function updateWebhook(
  { caller, params: { id }, body: given }: Asking & { body: z.output<typeof WebhookChange> },
  assertUnchanged: AssertUnchanged,
): Promise<Webhook> {
  assertSuitable(caller, given);
  return transaction(async (tx) => {
    const before = await lockWebhook(tx, caller.tenantId, id);
    await assertUnchanged(() => toWebhook(before));
    const differing = differences(before, given);
    if (differing.length === 0) return toWebhook(before);
    const after = await setWebhook(tx, before, Object.fromEntries(differing));
    const changes = differing.map(([name, value]) => [
      name === "siteId" ? "site" : name,
      { before: before[name], after: value },
    ]);
    await recordChange(tx, caller, after, {
      action: "webhook.updated",
      changes: Object.fromEntries(changes),
    });
    return toWebhook(after);
  });
}

/** Deletes a webhook with its deliveries. Throws 404 and 412. */
export async function deleteWebhook(
  { caller, params: { id } }: Asking,
  assertUnchanged: AssertUnchanged,
): Promise<void> {
  await transaction(async (tx) => {
    const row = await lockWebhook(tx, caller.tenantId, id);
    await assertUnchanged(() => toWebhook(row));
    await deleteWebhookRow(tx, caller.tenantId, id);
    await recordChange(tx, caller, row, {
      action: "webhook.deleted",
      changes: { url: { before: row.url } },
    });
  });
}

/** Gives a webhook a new secret; the previous one also signs for the overlap. Throws 400 for a too long one, 404, and 409 within one. */
export async function rotateWebhookSecret(
  caller: Caller,
  id: string,
  { overlap = 86_400, force }: { overlap?: number | undefined; force: boolean },
) {
  if (overlap * 1000 > maxOverlapDays * dayMs)
    throw invalid([
      { pointer: "/overlap", detail: `/overlap must be at most P${maxOverlapDays}D.` },
    ]);
  const secret = newSecret();
  return transactionFor(caller, async (tx) => {
    const row = await lockWebhook(tx, caller.tenantId, id);
    if (!force) assertNoRotation("webhook.rotation-in-progress", row.previousValidTo);
    const previousValidTo = new Date(Date.now() + overlap * 1000);
    const renewed = { secret: sealed(secret, id), previousSecret: row.secret, previousValidTo };
    await setWebhook(tx, row, renewed);
    const until = { previousValidTo: { after: previousValidTo.toISOString() } };
    await recordChange(tx, caller, row, { action: "webhook.rotated", changes: until });
    return { secret: secretText(secret), previousValidTo: previousValidTo.toISOString() };
  });
}

/** Enables a webhook and sends it the missed events. Does nothing, without an audit entry, if it is enabled. Throws 404. */
export async function enableWebhook(caller: Caller, id: string): Promise<Webhook> {
  const enabled = await transactionFor(caller, async (tx) => {
    const row = await lockWebhook(tx, caller.tenantId, id);
    if (row.disabledAt === null) return toWebhook(row);
    const isNew = { disabledAt: null, disabledReason: null, failingSince: null, failures: 0 };
    const after = await setWebhook(tx, row, { ...isNew, dueAt: new Date() });
    await recordChange(tx, caller, row, { action: "webhook.enabled" });
    return toWebhook(after);
  });
  wakeTenant(caller.tenantId);
  return enabled;
}

/** Disables a webhook. Does nothing, without an audit entry, if it is disabled. Throws 404. */
export async function disableWebhook(caller: Caller, id: string): Promise<Webhook> {
  return transactionFor(caller, async (tx) => {
    const row = await lockWebhook(tx, caller.tenantId, id);
    if (row.disabledAt !== null) return toWebhook(row);
    const off = { disabledAt: new Date(), disabledReason: "by-user" } as const;
    const after = await setWebhook(tx, row, off);
    await recordChange(tx, caller, row, { action: "webhook.disabled" });
    return toWebhook(after);
  });
}
