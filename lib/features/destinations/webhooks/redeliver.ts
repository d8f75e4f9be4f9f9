import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { transactionFor } from "@/lib/database/held-transactions";
import { actingAs, record } from "@/lib/features/audit/service";
import { typePrefix } from "@/lib/features/events/catalogue";
import { isBefore, wakeTenant } from "@/lib/features/events/delivery/lease";
import { matchesFilter } from "@/lib/features/events/event";
import { ApiError, invalid } from "@/lib/protocol/errors";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import type {
  replayEvents as declared,
  ListDeliveriesQuery,
  WebhookDelivery,
} from "./deliveries-contract";
import { findDelivery, makeDue, selectDeliveries, toWebhookDelivery } from "./delivery-log";
import { type FeedEvent, readEventsSince } from "./delivery-rows";
import { getWebhookRow, lockWebhook, setWebhook, type WebhookRow } from "./rows";

const maxReplayed = 1000;
const pageSize = 1000;
const maxPages = 10;

const targetOf = ({ webhookId: id, url }: Pick<WebhookRow, "webhookId" | "url">) => ({
  type: "webhook",
  id,
  name: new URL(url).host.slice(0, 128),
});

const withPrefix = (type: string) => (type.startsWith(typePrefix) ? type : `${typePrefix}${type}`);

/** The deliveries of a webhook, newest event first. Throws 404. */
export async function listDeliveries(
  { tenantId }: Caller,
  id: string,
  { status, type, limit, cursor }: z.output<typeof ListDeliveriesQuery>,
): Promise<Page<WebhookDelivery>> {
  await getWebhookRow(tenantId, id);
  const before = readCursor(cursor, 1)?.[0];
  const filters = { status, type: type && withPrefix(type), before, limit: limit + 1 };
  const rows = await selectDeliveries({ tenantId, webhookId: id }, filters);
  const page = cutPage(rows, limit, (row) => [row.eventId]);
  return { items: page.items.map(toWebhookDelivery), next: page.next };
}

const notFound = () =>
  new ApiError(
    "webhook.delivery-not-found",
    "The webhook has no delivery of this event in the last 30 days.",
  );

/** A delivery with its body. Throws 404. */
export async function getDelivery({ tenantId }: Caller, id: string, eventId: string) {
  await getWebhookRow(tenantId, id);
  const found = await findDelivery({ tenantId, webhookId: id }, eventId);
  if (!found) throw notFound();
  return { ...toWebhookDelivery(found), body: found.body };
}

/** Sends an event again. Throws 404. */
export async function redeliverEvent(
  caller: Caller,
  id: string,
  eventId: string,
): Promise<WebhookDelivery> {
  const { tenantId } = caller;
  await getDelivery(caller, id, eventId);
  const due = await transactionFor(caller, async (tx) => {
    const row = await lockWebhook(tx, tenantId, id);
    const found = await findDelivery(row, eventId, tx);
    if (!found) throw notFound();
    await makeDue(tx, { tenantId, webhookId: id }, [found]);
    await setWebhook(tx, row, { dueAt: new Date() });
    const changes = { event: { after: eventId } };
    const fact = { action: "webhook.redelivered", target: targetOf(row), changes };
    await record(tx, actingAs(caller), fact);
    return findDelivery(row, eventId, tx);
  });
  wakeTenant(tenantId);
  if (!due) throw notFound();
  return toWebhookDelivery(due);
}

/** The events of the range up to the webhook's position, limited in number, and where the next replay starts. */
async function eventsOf(row: WebhookRow, { from, to, types = row.types }: Range) {
  const filter = { types, site: row.siteId ?? undefined };
  const found: FeedEvent[] = [];
  let position = { auditSeq: 0, eventSeq: 0 };
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await readEventsSince(row.tenantId, position, from, { limit: pageSize });
    for (const one of page) {
      const at = new Date(one.event.time);
      if (isBefore(row, one.position) || at >= to) return { found, continueFrom: null };
      if (found.length === maxReplayed) return { found, continueFrom: at };
      if (matchesFilter(filter, one.event)) found.push(one);
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return { found, continueFrom: null };
    position = last.position;
    if (pages === maxPages - 1) return { found, continueFrom: new Date(last.event.time) };
  }
  return { found, continueFrom: null };
}

type Range = z.output<NonNullable<typeof declared.body>>;

/** Sends the events of a time range again, except those after the webhook's position, which will be sent anyway. Throws 400 and 404. */
export async function replayEvents(caller: Caller, id: string, range: Range) {
  const { tenantId } = caller;
  if (range.to <= range.from)
    throw invalid([{ pointer: "/to", detail: "/to must be later than /from." }]);
  const { found, continueFrom } = await eventsOf(await getWebhookRow(tenantId, id), range);
  await transactionFor(caller, async (tx) => {
    const row = await lockWebhook(tx, tenantId, id);
    const events = found.map(({ event, position, body }) => ({
      ...{ eventId: event.id, type: event.type, subject: event.subject, body },
      ...position,
    }));
    await makeDue(tx, { tenantId, webhookId: id }, events);
    await setWebhook(tx, row, { dueAt: new Date() });
    const changes = {
      from: { after: range.from.toISOString() },
      to: { after: range.to.toISOString() },
      events: { after: events.length },
    };
    const fact = { action: "webhook.replayed", target: targetOf(row), changes };
    await record(tx, actingAs(caller), fact);
  });
  wakeTenant(tenantId);
  return { events: found.length, continueFrom: continueFrom?.toISOString() ?? null };
}
