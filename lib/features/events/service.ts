import type { z } from "zod";
import { type Caller, permissionScope } from "@/lib/access/caller";
import type { Context } from "@/lib/http/context";
import { setNextLink } from "@/lib/http/responses";
import { invalid } from "@/lib/protocol/errors";
import type { CloudEvent, EventsQuery } from "./contract";
import { choiceOf, eventOf, withoutValues } from "./event";
import { chosenRowsAfter, type FeedPosition, findPosition, rowsAfter } from "./rows";

/*
 * A position in the form of an event's id, which `after` takes too:
 *
 *     evt_z 000000000007 0000000000015     audit entry 7, event 41, each in base 36
 *
 * The id of an event never begins with z: 26 characters of five bits hold 128.
 */
const [auditDigits, eventDigits] = [12, 13];
const start = "evt_z";

const digits = (value: number, length: number) => value.toString(36).padStart(length, "0");

const writePosition = ({ auditSeq, eventSeq }: FeedPosition): string =>
  `${start}${digits(auditSeq, auditDigits)}${digits(eventSeq, eventDigits)}`;

/** The position in the text; undefined for the id of an event. */
function readPosition(text: string): FeedPosition | undefined {
  if (!text.startsWith(start)) return undefined;
  const [auditSeq, eventSeq] = [
    text.slice(start.length, start.length + auditDigits),
    text.slice(start.length + auditDigits),
  ].map((part) => Math.min(Number.parseInt(part, 36), Number.MAX_SAFE_INTEGER));
  return { auditSeq: auditSeq ?? 0, eventSeq: eventSeq ?? 0 };
}

const keptMs = 30 * 24 * 3600 * 1000;

/** The time of the oldest event that the feed still returns. */
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

/** The matching rows after a position, by one statement. So a page is full unless the feed ends. */
function readPage(tenantId: string, from: FeedPosition, { limit, type, site }: Asking["query"]) {
  const choice = choiceOf(type, site);
  return choice === undefined
    ? rowsAfter(tenantId, from, feedStart(), limit)
    : chosenRowsAfter(tenantId, from, feedStart(), { ...choice, limit });
}

/** The events after the given one. The Link header always has the URL to continue from, now or later. Throws 400 for an unknown event. */
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
