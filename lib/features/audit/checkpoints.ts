import { createHmac, timingSafeEqual } from "node:crypto";
import { and, asc, desc, eq, gt, lt, lte } from "drizzle-orm";
import { currentKid, deriveKeys, isSignedBy, signText } from "@/lib/access/secret-key";
import { db, type Transaction, transaction } from "@/lib/database/open";
import { asOwner } from "@/lib/database/owner-connection";
import { auditCheckpoints, auditEvents } from "@/lib/database/schema/schema";
import { log } from "@/lib/protocol/log";
import { canonical, type Link } from "./chain";
import { verifyChain } from "./chain-verifier";
import { isSignedHead, readHeads } from "./heads";

export const keptMilliseconds = 400 * 24 * 3600 * 1000;

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
