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

/** Checkpoints from before heads were signed hold a MAC. */
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

/** What the kept part of the chain begins after, and whether this service signed it. */
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

/** The last of the entries, at most a batch, that follow a place without a gap in age: the first young one ends it, whatever comes later. */
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

/** Deletes entries up to a place; a signed checkpoint stands for them. */
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
 * Deletes the beginning of the tenant's trail that is older than 400 days, a batch at a time. An old entry behind a younger one stays
 * until all before it are old. A broken chain is left as it is: it is evidence. What is deleted is verified up to the signed head that
 * covers it, which vouches for entries of a key that is not known any more.
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
 * After SECRET_KEY was rotated, what a former key signed of a trail is signed under the new one: all heads, so that one vouches for
 * every entry of the former key, and the checkpoint. Only what verifies under the former key; what it says stays as it was, with its time.
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

/** False when there is something that a former key is said to have signed and did not. */
export async function signAnew(tenantId: string): Promise<boolean> {
  const isDone = [await signHeadsAnew(tenantId), await signCheckpointAnew(tenantId)];
  if (isDone.every(Boolean)) return true;
  log().error({ tenantId }, "the audit trail has forged signatures, which are not signed anew");
  return false;
}
