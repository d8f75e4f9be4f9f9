import { and, desc, eq, lt, or } from "drizzle-orm";
import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { isSignedBy } from "@/lib/access/secret-key";
import { db, type Executor } from "@/lib/database/open";
import { asOwner } from "@/lib/database/owner-connection";
import { auditHeads } from "@/lib/database/schema/schema";
import { parseInstant } from "@/lib/protocol/formats";
import { cutPage, type Page, readCursor } from "@/lib/protocol/parameters";
import { perProcess } from "@/lib/protocol/per-process";
import { canonical, type Link } from "./chain";
import type { ListAuditHeadsQuery } from "./contract";

/** A signed statement that the tenant's chain ended with this entry at this time. Hashes are lower-case hex, the signature is base64url. */
export interface SignedHead {
  tenant: string;
  seq: number;
  hash: string;
  /** Empty for an entry from before there were MACs. */
  mac: string;
  at: string;
  kid: string;
  signature: string;
}

/** What the Ed25519 signature of a head covers. */
export function headText({
  tenant,
  seq,
  hash,
  mac,
  at,
  kid,
}: Omit<SignedHead, "signature">): string {
  return canonical({ type: "gatehouse-audit-head", tenant, seq, hash, mac, at, kid });
}

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

type HeadPlace = Pick<HeadRow, "seq" | "signedAt">;

/** The heads below a place; of two heads of the same entry, the earlier one is below the later. */
const isBelow = ({ seq, signedAt }: HeadPlace) =>
  or(lt(auditHeads.seq, seq), and(eq(auditHeads.seq, seq), lt(auditHeads.signedAt, signedAt)));

/** The tenant's signed heads below a place, newest first. */
export async function readHeads(
  tenantId: string,
  { below, limit }: { below?: HeadPlace | undefined; limit?: number } = {},
  on: Executor = db(),
): Promise<HeadRow[]> {
  const query = on
    .select()
    .from(auditHeads)
    .where(and(eq(auditHeads.tenantId, tenantId), below && isBelow(below)))
    .orderBy(desc(auditHeads.seq), desc(auditHeads.signedAt));
  return limit === undefined ? query : query.limit(limit);
}

const isCursorPart = (text: string, place: number) =>
  place === 0 ? /^\d{1,15}$/.test(text) : parseInstant(text) !== undefined;

/** The signed heads of the caller's tenant, newest first. */
export async function listAuditHeads(
  caller: Caller,
  query: z.output<typeof ListAuditHeadsQuery>,
): Promise<Page<SignedHead>> {
  const [seq, at] = readCursor(query.cursor, 2, isCursorPart) ?? [];
  const below =
    seq === undefined || at === undefined
      ? undefined
      : { seq: Number(seq), signedAt: new Date(at) };
  const rows = await readHeads(caller.tenantId, { below, limit: query.limit + 1 });
  const { items, next } = cutPage(rows, query.limit, (row) => [
    String(row.seq),
    row.signedAt.toISOString(),
  ]);
  return { items: items.map(headAnswer), next };
}

const dayMs = 24 * 3600 * 1000;
/** Longer than entries are kept, so that each day of the trail has a head. */
const headsKeptMs = 430 * dayMs;
const maxThinned = 2000;

/*
 * Keeps the first and the last head of a day, not only the last, so that no gap between kept heads grows to more than a day.
 */
const dispensable = `select old.seq, old.signed_at from (
      select h.seq, h.signed_at,
        row_number() over (partition by date_trunc('day', h.signed_at) order by h.signed_at, h.seq) as first,
        row_number() over (partition by date_trunc('day', h.signed_at) order by h.signed_at desc, h.seq desc) as last
      from audit_heads h where h.tenant_id = $1 and h.signed_at < $2) old
    where (old.first > 1 and old.last > 1 or old.signed_at < $3)
      and (old.seq, old.signed_at) <> (select newest.seq, newest.signed_at from audit_heads newest
        where newest.tenant_id = $1 order by newest.seq desc, newest.signed_at desc limit 1)
    limit $4`;

/** Deletes old heads. Keeps all of the last day, the first and last one of each day before, none after 430 days, and always the newest. */
export async function thinHeads(tenantId: string, now: Date): Promise<void> {
  const [yesterday, oldest] = [dayMs, headsKeptMs].map((ms) => new Date(now.getTime() - ms));
  const { rows } = await db().$client.query<{ seq: string; signed_at: Date }>(dispensable, [
    ...[tenantId, yesterday, oldest, maxThinned],
  ]);
  if (rows.length === 0) return;
  await asOwner((owner) =>
    owner.$client.query(
      "delete from audit_heads h using unnest($2::bigint[], $3::timestamptz[]) as old(seq, signed_at) where h.tenant_id = $1 and h.seq = old.seq and h.signed_at = old.signed_at",
      [tenantId, rows.map(({ seq }) => seq), rows.map((row) => row.signed_at)],
    ),
  );
}

/*
 * The newest signed head of each chain that this process has seen. The store by itself cannot prove that its newest head is the newest there
 * ever was: an attacker with write access to the database can delete heads and entries together, and what is left verifies. A process that
 * has seen a newer head than the store still has reports it.
 */

/** The place, time and signature of a head; it is never replaced by an older one of the same chain. */
export type SeenHead = Pick<HeadRow, "seq" | "hash" | "mac" | "signedAt" | "kid" | "signature">;

/** Above this many tenants, the one first seen is evicted. */
const maxSeen = 100_000;
const seenHeads = perProcess("audit-seen-heads", () => new Map<string, SeenHead>());

const isSameBytes = (a: Buffer | null, b: Buffer | null) =>
  a === null || b === null ? a === b : a.equals(b);

/** Whether two places of a chain have the same entry. */
export const isSamePlace = (a: Link, b: Link): boolean =>
  a.seq === b.seq && a.hash.equals(b.hash) && isSameBytes(a.mac, b.mac);

const isSameHead = (a: SeenHead, b: SeenHead) =>
  isSamePlace(a, b) &&
  a.signedAt.getTime() === b.signedAt.getTime() &&
  a.kid === b.kid &&
  a.signature.equals(b.signature);

const isOlder = (a: SeenHead, b: SeenHead) =>
  a.seq < b.seq || (a.seq === b.seq && a.signedAt.getTime() < b.signedAt.getTime());

export const seenHead = (tenantId: string): SeenHead | undefined => seenHeads().get(tenantId);

/** Whether this exact head was verified before, so that its signature need not be verified again. */
export function hasSeen(tenantId: string, head: SeenHead): boolean {
  const known = seenHeads().get(tenantId);
  return known !== undefined && isSameHead(known, head);
}

/** Remembers a head whose signature is right. */
export function rememberHead(tenantId: string, head: SeenHead): void {
  const known = seenHeads().get(tenantId);
  if (known && isOlder(head, known)) return;
  const { seq, hash, mac, signedAt, kid, signature } = head;
  seenHeads().set(tenantId, { seq, hash, mac, signedAt, kid, signature });
  const [first] = seenHeads().size > maxSeen ? seenHeads().keys() : [];
  if (first !== undefined) seenHeads().delete(first);
}

/** Resets the state to that of a new process. For tests only. */
export const forgetHeads = (): void => seenHeads().clear();

/** Whether a chain or its newest signed head is older than the known head, or contains a different entry in its place. */
export function hasGoneBack(known: SeenHead, chain: Link, newest: SeenHead | undefined): boolean {
  if (!newest || chain.seq < known.seq || isOlder(newest, known)) return true;
  return newest.seq === known.seq && !isSamePlace(newest, known);
}
