import type { CloudEvent } from "@/lib/features/events/contract";
import { eventOf, withoutValues } from "@/lib/features/events/event";
import { type FeedPosition, rowsAfter } from "@/lib/features/events/rows";
import { feedStart } from "@/lib/features/events/service";

const minuteMs = 60_000;

/** An event where it stands in the feed, and its text as endpoints get it. */
export interface FeedEvent {
  position: FeedPosition;
  event: CloudEvent;
  body: string;
}

/** The next events after a position that happened since an instant, without values. */
export async function readEventsSince(
  tenantId: string,
  { auditSeq, eventSeq }: FeedPosition,
  from: Date,
  limit: number,
): Promise<FeedEvent[]> {
  const rows = await rowsAfter(tenantId, { auditSeq, eventSeq }, from, limit);
  return rows.map((row) => {
    const event = withoutValues(eventOf(tenantId, row));
    const position = { auditSeq: row.auditSeq, eventSeq: row.eventSeq };
    return { position, event, body: JSON.stringify(event) };
  });
}

/** The same of the last 30 days. What several endpoints read at one time is one query. */
export function readEvents(
  tenantId: string,
  position: FeedPosition,
  limit: number,
): Promise<FeedEvent[]> {
  const from = new Date(Math.floor(feedStart().getTime() / minuteMs) * minuteMs);
  return readEventsSince(tenantId, position, from, limit);
}
