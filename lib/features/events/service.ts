import type { z } from "zod";
import { type Caller, permissionScope } from "@/lib/access/caller";
import type { Context } from "@/lib/http/context";
import { setNextLink } from "@/lib/http/send-page";
import { invalid } from "@/lib/protocol/errors";
import type { CloudEvent, EventsQuery } from "./contract";
import { eventOf, withoutValues } from "./event";
import { matchesFilter } from "./filter";
import { readPosition, writePosition } from "./position";
import { type FeedPosition, findPosition, rowsAfter } from "./rows";

const keptMs = 30 * 24 * 3600 * 1000;

/** A filtered page is read in pieces of so many rows, each of one small statement. */
const rowsPerRead = 1000;
/** A filtered page that holds something ends after so many rows, full or not. */
const maxRowsOfPage = 10_000;
/** So that an empty page means the end, one without a match is read on; but no request reads more than this. */
const maxRowsWithoutMatch = 100_000;

/** The oldest event that the feed still has. */
export const feedStart = (): Date => new Date(Date.now() - keptMs);

async function positionOf(tenantId: string, after: string | undefined): Promise<FeedPosition> {
  if (after === undefined) return { auditSeq: 0, eventSeq: 0 };
  const found = readPosition(after) ?? (await findPosition(tenantId, after.slice("evt_".length)));
  if (found) return found;
  throw invalid([
    {
      pointer: "?after",
      detail: "?after must be the id of an event of this tenant that is still kept.",
    },
  ]);
}

type Asking = Pick<Context, "request" | "responseHeaders"> & {
  caller: Caller;
  query: z.output<typeof EventsQuery>;
};

interface PageOfFeed {
  events: CloudEvent[];
  next: FeedPosition;
}

/** The events after a position, and where the next page begins: with a filter that is behind the last row that was looked at. */
async function readPage(
  tenantId: string,
  from: FeedPosition,
  { limit, type, site }: Asking["query"],
): Promise<PageOfFeed> {
  const filter = { types: [type ?? "*"], site };
  const isFiltered = type !== undefined || site !== undefined;
  const size = isFiltered ? rowsPerRead : limit;
  const [events, since]: [CloudEvent[], Date] = [[], feedStart()];
  let next = from;
  for (let looked = 0; ; ) {
    const rows = await rowsAfter(tenantId, next, since, size);
    for (const row of rows) {
      next = row;
      const event = eventOf(tenantId, row);
      if (matchesFilter(filter, event)) events.push(event);
      if (events.length === limit) return { events, next };
    }
    looked += rows.length;
    const isEnough = looked >= (events.length > 0 ? maxRowsOfPage : maxRowsWithoutMatch);
    if (rows.length < size || isEnough) return { events, next };
  }
}

/** The events after the one that was seen last. Link always names where to go on, now or later. Throws 400 for an unknown event. */
export async function listEvents(asking: Asking): Promise<CloudEvent[]> {
  const { caller, query } = asking;
  const { tenantId } = caller;
  const from = await positionOf(tenantId, query.after);
  const { events, next } = await readPage(tenantId, from, query);
  if (next !== from || query.after !== undefined) setNextLink(asking, "after", writePosition(next));
  const mayReadValues = permissionScope(caller, "audit.read") === "tenant";
  return mayReadValues ? events : events.map(withoutValues);
}
