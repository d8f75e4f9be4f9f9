import { and, desc, eq, lt } from "drizzle-orm";
import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { isSignedBy } from "@/lib/access/trail-keys";
import { db } from "@/lib/database/open";
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
