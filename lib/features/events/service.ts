import type { z } from "zod";
import { type Caller, permissionScope } from "@/lib/access/caller";
import type { Context } from "@/lib/http/context";
import { setNextLink } from "@/lib/http/responses";
import { invalid } from "@/lib/protocol/errors";
import type { CloudEvent, EventsQuery } from "./contract";
import { eventOf, withoutValues } from "./event";
import { choiceOf } from "./filter";
import { readPosition, writePosition } from "./position";
import { chosenRowsAfter, type FeedPosition, findPosition, rowsAfter } from "./rows";

const keptMs = 30 * 24 * 3600 * 1000;

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

/** The rows after a position that are wanted: one statement, whatever lies between them. So a page is full, or ends where the feed does. */
function readPage(tenantId: string, from: FeedPosition, { limit, type, site }: Asking["query"]) {
  const choice = choiceOf(type, site);
  return choice === undefined
    ? rowsAfter(tenantId, from, feedStart(), limit)
    : chosenRowsAfter(tenantId, from, feedStart(), { ...choice, limit });
}

/** The events after the one that was seen last. Link always names where to go on, now or later. Throws 400 for an unknown event. */
export async function listEvents(asking: Asking): Promise<CloudEvent[]> {
  const { caller, query } = asking;
  const { tenantId } = caller;
  const from = await positionOf(tenantId, query.after);
  const rows = await readPage(tenantId, from, query);
  setNextLink(asking, "after", writePosition(rows.at(-1) ?? from));
  const events = rows.map((row) => eventOf(tenantId, row));
  const mayReadValues = permissionScope(caller, "audit.read") === "tenant";
  return mayReadValues ? events : events.map(withoutValues);
}
