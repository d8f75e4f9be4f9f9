import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { endedAt } from "@/lib/access/token-revocations";
import { read } from "@/lib/database/open";
import type { Context } from "@/lib/http/context";
import { setNextLink } from "@/lib/http/responses";
import type { Revocation, RevocationsQuery } from "./contract";
import { type FeedPosition, lastSubject, readPosition, writePosition } from "./feed-position";
import { revocationOf, revokingActions } from "./revoking-actions";

/** For an older position the response is "everything changed". Customers' revocations are retained at least as long. */
export const maxPositionAgeMs = 3_600_000;
/** Audit entries that are scanned for one response; a reader that is further behind starts again. */
export const maxEntriesBehind = 5000;

interface Row {
  auditSeq: number;
  endingsSeq: number;
  /** Null if nothing follows the position. */
  source: "trail" | "endings" | null;
  seq: number;
  subject: string;
  action: string;
  target: { type: string; id: string };
  at: Date;
}

/** The counters and the items after the position, consistent because one statement reads both. */
const statement = `select t.audit_seq::float8 as "auditSeq", t.endings_seq as "endingsSeq", e.source, e.seq::float8 as seq, e.subject, e.action, e.target, e.at
  from tenants t left join (
    (select 'trail' as source, a.seq, '' as subject, a.action, a.target, a.occurred_at as at from audit_events a
      where a.tenant_id = $1 and a.seq > $2::bigint and a.seq <= $2::bigint + ${maxEntriesBehind} and a.action = any($5) order by a.seq limit $6)
    union all
    (select 'endings', c.seq, c.subject, c.effect, null::jsonb, c.kept_until from consumer_endings c
      where c.tenant_id = $1 and (c.seq, c.subject) > ($3::bigint, $4) order by c.seq, c.subject limit $6)
  ) e on true where t.tenant_id = $1`;

const actions = Object.keys(revokingActions);

async function readFeed(tenantId: string, from: FeedPosition, limit: number) {
  const { auditSeq, endingsSeq, subject } = from;
  const values = [tenantId, auditSeq, endingsSeq, subject, actions, limit];
  const rows = await read<Row>("revocations", statement, values);
  const of = (source: Row["source"]) =>
    rows.filter((row) => row.source === source).toSorted((a, b) => a.seq - b.seq);
  const [first] = rows;
  const head = {
    auditSeq: first?.auditSeq ?? 0,
    endingsSeq: first?.endingsSeq ?? 0,
    subject: lastSubject,
  };
  const endings = of("endings").toSorted(
    (a, b) => a.seq - b.seq || (a.subject < b.subject ? -1 : 1),
  );
  return { head, trail: of("trail"), endings };
}

function isLost(from: FeedPosition & { issuedAt: number }, head: FeedPosition, now: number) {
  return (
    now - from.issuedAt > maxPositionAgeMs ||
    from.auditSeq > head.auditSeq ||
    from.endingsSeq > head.endingsSeq ||
    head.auditSeq - from.auditSeq > maxEntriesBehind
  );
}

function customerRevocation({ subject, action, at }: Row): Omit<Revocation, "id"> {
  return {
    subjectKind: subject.startsWith("fam_") ? "family" : "customer",
    subjectId: subject,
    effect: action === "ended" ? "ended" : "changed",
    at: endedAt(at).toISOString(),
  };
}

/** The items after a position, and the next position: first all those of the audit trail, then the revocations. */
async function itemsAfter(caller: Caller, after: string, limit: number) {
  const { tenantId } = caller;
  const now = Date.now();
  const from = readPosition(after);
  const { head, trail, endings } = await readFeed(tenantId, from, limit);
  if (isLost(from, head, now)) {
    const id = writePosition(head, now);
    const at = new Date(now).toISOString();
    const everything = { subjectKind: "tenant", subjectId: tenantId, effect: "changed" } as const;
    return { items: [{ id, ...everything, at }], next: id };
  }
  const ofTrail = trail.map(({ seq, action, target, at }) => ({
    id: writePosition({ ...from, auditSeq: seq }, now),
    ...revocationOf(action, target, tenantId),
    at: at.toISOString(),
  }));
  if (trail.length >= limit) return { items: ofTrail, next: ofTrail.at(-1)?.id ?? after };
  const shown = endings.slice(0, limit - trail.length);
  const ofCustomers = shown.map((row) => {
    const position = { auditSeq: head.auditSeq, endingsSeq: row.seq, subject: row.subject };
    return { id: writePosition(position, now), ...customerRevocation(row) };
  });
  const isComplete = endings.length < limit && shown.length === endings.length;
  const next = isComplete ? writePosition(head, now) : (ofCustomers.at(-1)?.id ?? after);
  return { items: [...ofTrail, ...ofCustomers], next };
}

type Asking = Pick<Context, "request" | "responseHeaders"> & {
  caller: Caller;
  query: z.output<typeof RevocationsQuery>;
};

/** Revocations after a position. The Link header always has the next position; without a given one it is the current end. */
export async function listRevocations(asking: Asking): Promise<Revocation[]> {
  const { caller, query } = asking;
  const { after, limit } = query;
  if (after === undefined) {
    const start = { auditSeq: 0, endingsSeq: 0, subject: "" };
    const { head } = await readFeed(caller.tenantId, start, 0);
    setNextLink(asking, "after", writePosition(head, Date.now()));
    return [];
  }
  const { items, next } = await itemsAfter(caller, after, limit);
  setNextLink(asking, "after", next);
  return items;
}
