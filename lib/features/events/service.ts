import { and, asc, eq, gt, gte } from "drizzle-orm";
import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import { type AuditRow, auditAnswer } from "@/lib/features/audit/list";
import type { Context } from "@/lib/http/context";
import { setNextLink } from "@/lib/http/send-page";
import { invalid } from "@/lib/protocol/errors";
import type { CloudEvent, EventsQuery } from "./contract";

const keptMilliseconds = 30 * 24 * 3600 * 1000;

const eventId = (auditId: string) => auditId.replace(/^aud_/, "evt_");
const auditId = (id: string) => id.replace(/^evt_/, "aud_");

/** An entry of the trail as an event: the same fact, without the address it came from. */
export function eventOf(row: AuditRow): CloudEvent {
  const { id, occurredAt, actor, action, target, changes, requestId, result } = auditAnswer(row);
  return {
    specversion: "1.0",
    id: eventId(id),
    source: `/tenants/${row.tenantId}`,
    type: `gatehouse.${action}`,
    subject: `${target.type}/${target.id}`,
    time: occurredAt,
    datacontenttype: "application/json",
    data: { actor, target, changes, requestId, result },
  };
}

async function placeOf(tenantId: string, after: string | undefined): Promise<number> {
  if (after === undefined) return 0;
  const [seen] = await db()
    .select({ seq: auditEvents.seq })
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenantId), eq(auditEvents.auditId, auditId(after))));
  if (!seen)
    throw invalid([
      {
        pointer: "?after",
        detail: "?after must be the id of an event of this tenant that is still kept.",
      },
    ]);
  return seen.seq;
}

type Asking = Pick<Context, "request" | "responseHeaders"> & {
  caller: Caller;
  query: z.output<typeof EventsQuery>;
};

/** The events after the one that was seen last. Link always names where to go on, now or later. Throws 400 for an unknown event. */
export async function listEvents(asking: Asking): Promise<CloudEvent[]> {
  const { caller, query } = asking;
  const { tenantId } = caller;
  const place = await placeOf(tenantId, query.after);
  const rows = await db()
    .select()
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.tenantId, tenantId),
        gt(auditEvents.seq, place),
        gte(auditEvents.occurredAt, new Date(Date.now() - keptMilliseconds)),
      ),
    )
    .orderBy(asc(auditEvents.seq))
    .limit(query.limit);
  const events = rows.map(eventOf);
  const last = events.at(-1)?.id ?? query.after;
  if (last !== undefined) {
    setNextLink(asking, "after", last);
  }
  return events;
}
