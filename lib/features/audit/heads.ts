import { and, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { isSignedBy } from "@/lib/access/trail-keys";
import { db } from "@/lib/database/open";
import { asOwner } from "@/lib/database/owner";
import { auditHeads } from "@/lib/database/schema/schema";
import { cutPage, type Page, readCursor } from "@/lib/protocol/paging";
import type { ListAuditHeadsQuery } from "./contract";
import { headText, type SignedHead } from "./signed-head";

export type HeadRow = typeof auditHeads.$inferSelect;

export function headAnswer({
  tenantId: tenant,
  seq,
  hash,
  mac,
  signedAt,
  kid,
  signature,
}: HeadRow): SignedHead {
  return {
    ...{ tenant, seq, kid },
    hash: hash.toString("hex"),
    mac: mac?.toString("hex") ?? "",
    at: signedAt.toISOString(),
    signature: signature.toString("base64url"),
  };
}

/** Whether the head's signature is right; undefined when its key is unknown here. */
export function isSignedHead(row: HeadRow): boolean | undefined {
  return isSignedBy(row.kid, headText(headAnswer(row)), row.signature);
}

/** The tenant's signed heads below a place, newest first. */
export async function readHeads(
  tenantId: string,
  { below, limit }: { below?: number | undefined; limit?: number } = {},
): Promise<HeadRow[]> {
  const query = db()
    .select()
    .from(auditHeads)
    .where(
      and(
        eq(auditHeads.tenantId, tenantId),
        below === undefined ? undefined : lt(auditHeads.seq, below),
      ),
    )
    .orderBy(desc(auditHeads.seq));
  return limit === undefined ? query : query.limit(limit);
}

/** The signed heads of the caller's tenant, newest first. */
export async function listAuditHeads(
  caller: Caller,
  query: z.output<typeof ListAuditHeadsQuery>,
): Promise<Page<SignedHead>> {
  const [after] = readCursor(query.cursor, 1, (seq) => /^\d{1,15}$/.test(seq)) ?? [];
  const below = after === undefined ? undefined : Number(after);
  const rows = await readHeads(caller.tenantId, { below, limit: query.limit + 1 });
  const { items, next } = cutPage(rows, query.limit, (row) => [String(row.seq)]);
  return { items: items.map(headAnswer), next };
}

const dayMs = 24 * 3600 * 1000;
/** Longer than entries are kept: a head of each day of the trail stays. */
const headsKeptMs = 430 * dayMs;
const maxThinned = 2000;

/** Keeps all signed heads of the last day, the last one of each day before, none after 430 days, and the newest in any case. */
export async function thinHeads(tenantId: string, now: Date): Promise<void> {
  const [yesterday, oldest] = [dayMs, headsKeptMs].map((ms) =>
    new Date(now.getTime() - ms).toISOString(),
  );
  const { rows } = await db().execute<{ seq: string }>(sql`select old.seq from (
      select h.seq, h.signed_at, row_number() over (partition by date_trunc('day', h.signed_at) order by h.seq desc) as place
      from audit_heads h where h.tenant_id = ${tenantId} and h.signed_at < ${yesterday}::timestamptz) old
    where (old.place > 1 or old.signed_at < ${oldest}::timestamptz)
      and old.seq < (select max(newest.seq) from audit_heads newest where newest.tenant_id = ${tenantId})
    limit ${maxThinned}`);
  if (rows.length === 0) return;
  const seqs = rows.map(({ seq }) => Number(seq));
  await asOwner((owner) =>
    owner
      .delete(auditHeads)
      .where(and(eq(auditHeads.tenantId, tenantId), inArray(auditHeads.seq, seqs))),
  );
}
