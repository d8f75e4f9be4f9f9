import { and, eq } from "drizzle-orm";
import type { Caller } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { auditEvents, tenants } from "@/lib/database/schema/schema";
import { invalid } from "@/lib/protocol/errors";
import { type Link, verifyChain } from "./chain-verifier";
import { lastCheckpoint } from "./checkpoints";
import type { AuditVerification } from "./contract";

/** Shorter than a handler may take. */
const longestMilliseconds = 7000;

async function headOf(tenantId: string): Promise<Link> {
  const [head] = await db()
    .select({ seq: tenants.auditSeq, hash: tenants.auditHead })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  if (!head) throw new Error(`There is no tenant ${tenantId}.`);
  return head;
}

async function entryAt(tenantId: string, seq: number): Promise<Link> {
  const [entry] = await db()
    .select({ seq: auditEvents.seq, hash: auditEvents.hash })
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenantId), eq(auditEvents.seq, seq)));
  if (!entry)
    throw invalid([
      { pointer: "?after", detail: "?after must be the number of an entry of the trail." },
    ]);
  return entry;
}

/** Verifies the caller's trail from its beginning, or from what a verification before came to. */
export async function verifyTrail(
  { tenantId }: Pick<Caller, "tenantId">,
  after?: number,
): Promise<AuditVerification> {
  const head = await headOf(tenantId);
  const checkpoint = await lastCheckpoint(tenantId);
  const shown = { head: { seq: head.seq, hash: head.hash.toString("hex") } };
  const kept = checkpoint && {
    checkpoint: { seq: checkpoint.seq, madeAt: checkpoint.madeAt.toISOString() },
  };
  if (checkpoint && !checkpoint.isSigned) {
    const broken = { seq: checkpoint.seq, problem: "checkpoint" as const };
    return { valid: false, complete: true, entries: 0, checkedTo: 0, ...shown, ...kept, broken };
  }
  const from = after === undefined ? checkpoint : await entryAt(tenantId, after);
  return { ...(await verifyChain(tenantId, from, head, longestMilliseconds)), ...shown, ...kept };
}
