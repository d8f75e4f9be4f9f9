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

/** So many rows are read for one page that is filtered. */
const maxRowsFiltered = 1000;

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

/** The events after a position, and where the next page begins: a filtered page ends with the last row that was read for it. */
async function readPage(tenantId: string, from: FeedPosition, query: Asking["query"]) {
  const { limit, type = "*", site } = query;
  const isFiltered = query.type !== undefined || site !== undefined;
  const rows = await rowsAfter(tenantId, from, feedStart(), isFiltered ? maxRowsFiltered : limit);
  const matching = rows
    .map((row) => ({ row, event: eventOf(tenantId, row) }))
    .filter(({ event }) => matchesFilter({ types: [type], site }, event));
  const page = matching.slice(0, limit);
  const last = matching.length > limit ? page.at(-1)?.row : rows.at(-1);
  return { events: page.map(({ event }) => event), next: last ?? from };
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
