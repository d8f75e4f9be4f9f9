import { createHmac, timingSafeEqual } from "node:crypto";
import { and, desc, eq, lt, lte } from "drizzle-orm";
import { deriveKey } from "@/lib/access/secret-key";
import { db, type Transaction, transaction } from "@/lib/database/open";
import { asOwner } from "@/lib/database/owner";
import { auditCheckpoints, auditEvents } from "@/lib/database/schema/schema";
import { log } from "@/lib/protocol/log";
import { canonical } from "./chain";
import { verifyChain } from "./chain-verifier";

export const keptMilliseconds = 400 * 24 * 3600 * 1000;

type Checkpoint = Pick<
  typeof auditCheckpoints.$inferSelect,
  "tenantId" | "seq" | "hash" | "madeAt"
>;

function sign({ tenantId, seq, hash, madeAt }: Checkpoint): Buffer {
  const text = canonical({
    tenantId,
    seq,
    hash: hash.toString("hex"),
    madeAt: madeAt.toISOString(),
  });
  return createHmac("sha256", deriveKey("audit checkpoint")).update(text).digest();
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
  const right = sign(found);
  return {
    ...found,
    isSigned: right.length === found.signature.length && timingSafeEqual(right, found.signature),
  };
}

/** Deletes the tenant's entries past 400 days; a signed checkpoint stands for them. A broken chain is left as it is: it is evidence. */
export async function pruneAuditEvents(tenantId: string): Promise<void> {
  const before = new Date(Date.now() - keptMilliseconds);
  const [last] = await db()
    .select({ seq: auditEvents.seq, hash: auditEvents.hash })
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenantId), lt(auditEvents.occurredAt, before)))
    .orderBy(desc(auditEvents.seq))
    .limit(1);
  if (!last) return;
  const { valid, broken } = await verifyChain(tenantId, await lastCheckpoint(tenantId), last);
  if (!valid) {
    log().error({ tenantId, broken }, "the audit trail is broken and is not shortened");
    return;
  }
  const checkpoint = { tenantId, seq: last.seq, hash: last.hash, madeAt: new Date() };
  const shorten = async (tx: Transaction) => {
    await tx.insert(auditCheckpoints).values({ ...checkpoint, signature: sign(checkpoint) });
    await tx
      .delete(auditEvents)
      .where(and(eq(auditEvents.tenantId, tenantId), lte(auditEvents.seq, last.seq)));
    await tx
      .delete(auditCheckpoints)
      .where(and(eq(auditCheckpoints.tenantId, tenantId), lt(auditCheckpoints.seq, last.seq)));
  };
  await asOwner((owner) => transaction(shorten, owner));
}
