import { createHmac, timingSafeEqual } from "node:crypto";
import { and, asc, desc, eq, gt, lt, lte } from "drizzle-orm";
import { currentKid, deriveKeys, formerKids, isSignedBy, signText } from "@/lib/access/secret-key";
import { db, type Transaction, transaction } from "@/lib/database/open";
import { asOwner } from "@/lib/database/owner-connection";
import { auditCheckpoints, auditEvents } from "@/lib/database/schema/schema";
import { log } from "@/lib/protocol/log";
import { canonical, type Link } from "./chain";
import { verifyChain } from "./chain-verifier";
import { type HeadRow, headAnswer, headText, isSignedHead, readHeads } from "./heads";

const keptMilliseconds = 400 * 24 * 3600 * 1000;

/** How many entries are deleted in one transaction. */
const batchSize = 500;

type Checkpoint = typeof auditCheckpoints.$inferSelect;

export function checkpointText({
  tenantId: tenant,
  seq,
  hash,
  mac,
  madeAt,
  kid,
}: Omit<Checkpoint, "signature">): string {
  const at = madeAt.toISOString();
  const texts = { hash: hash.toString("hex"), mac: mac?.toString("hex") ?? "" };
  return canonical({ type: "gatehouse-audit-checkpoint", tenant, seq, ...texts, at, kid });
}

/** Checkpoints from before heads were signed have a MAC as their signature. */
function isKeyedBefore({ tenantId, seq, hash, madeAt, signature }: Checkpoint): boolean {
  const text = canonical({
    tenantId,
    seq,
    hash: hash.toString("hex"),
    madeAt: madeAt.toISOString(),
  });
  const expected = deriveKeys("audit checkpoint").map((key) =>
    createHmac("sha256", key).update(text).digest(),
  );
  return expected.some((mac) => mac.length === signature.length && timingSafeEqual(mac, signature));
}

/** The checkpoint before the first kept entry, and whether this service signed it. */
export async function lastCheckpoint(
  tenantId: string,
): Promise<(Checkpoint & { isSigned: boolean }) | undefined> {
  const [found] = await db()
    .select()
    .from(auditCheckpoints)
    .where(eq(auditCheckpoints.tenantId, tenantId))
    .orderBy(desc(auditCheckpoints.seq))
    .limit(1);
  if (!found) return undefined;
  const isSigned =
    found.kid === null
      ? isKeyedBefore(found)
      : isSignedBy(found.kid, checkpointText(found), found.signature) === true;
  return { ...found, isSigned };
}

/** The last of the consecutive old entries after a place, within one batch. The first young entry ends the run, whatever follows. */
async function endOfOldPrefix(
  tenantId: string,
  after: number,
  before: Date,
): Promise<Link | undefined> {
  const { seq, hash, mac, occurredAt } = auditEvents;
  const rows = await db()
    .select({ seq, hash, mac, occurredAt })
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenantId), gt(seq, after)))
    .orderBy(asc(seq))
    .limit(batchSize);
  const young = rows.findIndex((row) => row.occurredAt >= before);
  return (young === -1 ? rows : rows.slice(0, young)).at(-1);
}

/** Deletes entries up to a place and replaces them by a signed checkpoint. */
async function shorten(tenantId: string, { seq, hash, mac }: Link, madeAt: Date): Promise<void> {
  const unsigned = { tenantId, seq, hash, mac, madeAt, kid: currentKid() };
  const checkpoint = { ...unsigned, signature: signText(checkpointText(unsigned)) };
  const work = async (tx: Transaction) => {
    await tx.insert(auditCheckpoints).values(checkpoint);
    await tx
      .delete(auditEvents)
      .where(and(eq(auditEvents.tenantId, tenantId), lte(auditEvents.seq, seq)));
    await tx
      .delete(auditCheckpoints)
      .where(and(eq(auditCheckpoints.tenantId, tenantId), lt(auditCheckpoints.seq, seq)));
  };
  await asOwner((owner) => transaction(work, owner));
}

/**
 * Deletes the tenant's entries older than 400 days from the start of the trail, in batches. An old entry after a younger one is kept until
 * all before it are old. A broken chain is kept unchanged as evidence. Entries are verified up to the signed head that covers them before
 * they are deleted: it vouches for entries whose key is no longer known.
 */
export async function pruneAuditEvents(tenantId: string, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptMilliseconds);
  const heads = (await readHeads(tenantId)).filter(isSignedHead);
  for (;;) {
    const from = await lastCheckpoint(tenantId);
    const to = await endOfOldPrefix(tenantId, from?.seq ?? 0, before);
    if (!to) return;
    const state =
      from?.isSigned === false
        ? { valid: false, broken: { seq: from.seq, problem: "checkpoint" } }
        : await verifyChain(tenantId, {
            from,
            to: heads.findLast(({ seq }) => seq >= to.seq) ?? to,
            heads,
          });
    if (!state.valid) {
      log().error(
        { tenantId, broken: state.broken },
        "the audit trail is broken and is not shortened",
      );
      return;
    }
    await shorten(tenantId, to, now);
  }
}

/**
 * After a rotation of SECRET_KEY, the signatures of former keys in a trail are replaced by ones of the new key: those of all heads, so that
 * every entry of a former key is covered, and of the checkpoint. Only valid signatures are replaced; contents and times do not change.
 */

const underNewKey = `update audit_heads h set kid = $2, signature = n.signature
  from unnest($3::bigint[], $4::timestamptz[], $5::bytea[]) as n(seq, signed_at, signature)
  where h.tenant_id = $1 and h.seq = n.seq and h.signed_at = n.signed_at`;

async function signHeadsAnew(tenantId: string): Promise<boolean> {
  const kids = formerKids();
  const former = (await readHeads(tenantId)).filter(({ kid }) => kids.includes(kid));
  const right = former.filter(isSignedHead);
  if (right.length > 0) {
    const kid = currentKid();
    const signatureOf = (row: HeadRow) => signText(headText(headAnswer({ ...row, kid })));
    await asOwner((owner) =>
      owner.$client.query(underNewKey, [
        ...[tenantId, kid],
        ...[right.map(({ seq }) => seq), right.map(({ signedAt }) => signedAt)],
        right.map(signatureOf),
      ]),
    );
  }
  return right.length === former.length;
}

async function signCheckpointAnew(tenantId: string): Promise<boolean> {
  const checkpoint = await lastCheckpoint(tenantId);
  const kid = currentKid();
  if (!checkpoint || checkpoint.kid === kid) return true;
  if (!checkpoint.isSigned) return false;
  const signature = signText(checkpointText({ ...checkpoint, kid }));
  const row = and(
    eq(auditCheckpoints.tenantId, tenantId),
    eq(auditCheckpoints.seq, checkpoint.seq),
  );
  await db().update(auditCheckpoints).set({ kid, signature }).where(row);
  return true;
}

/** False if the trail contains an invalid signature under a former key. */
export async function signAnew(tenantId: string): Promise<boolean> {
  const isDone = [await signHeadsAnew(tenantId), await signCheckpointAnew(tenantId)];
  if (isDone.every(Boolean)) return true;
  log().error({ tenantId }, "the audit trail has forged signatures, which are not signed anew");
  return false;
}
