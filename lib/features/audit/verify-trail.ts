import { and, eq } from "drizzle-orm";
import type { Caller } from "@/lib/access/caller";
import { db } from "@/lib/database/open";
import { auditEvents, tenants } from "@/lib/database/schema/schema";
import { invalid } from "@/lib/protocol/errors";
import type { Link } from "./chain";
import { verifyChain } from "./chain-verifier";
import { lastCheckpoint } from "./checkpoints";
import type { AuditVerification } from "./contract";
import { type HeadRow, isSignedHead, readHeads } from "./heads";

/** Shorter than the time limit of a handler. */
const maxMs = 7000;

async function headOf(tenantId: string): Promise<Link> {
  const { auditSeq: seq, auditHead: hash, auditMac: mac } = tenants;
  const [head] = await db()
    .select({ seq, hash, mac })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  if (!head) throw new Error(`There is no tenant ${tenantId}.`);
  return head;
}

async function entryAt(tenantId: string, seq: number): Promise<Link> {
  const [entry] = await db()
    .select({ seq: auditEvents.seq, hash: auditEvents.hash, mac: auditEvents.mac })
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenantId), eq(auditEvents.seq, seq)));
  if (!entry)
    throw invalid([
      { pointer: "?after", detail: "?after must be the number of an entry of the trail." },
    ]);
  return entry;
}

type Broken = NonNullable<AuditVerification["broken"]>;

/** The problem that is known without reading entries: a forged checkpoint or head, or a chain that ends before a signed head. */
function faultOfSignatures(
  checkpoint: { seq: number; isSigned: boolean } | undefined,
  heads: HeadRow[],
  head: Link,
): Broken | undefined {
  if (checkpoint && !checkpoint.isSigned) return { seq: checkpoint.seq, problem: "checkpoint" };
  const forged = heads.find((one) => isSignedHead(one) === false);
  if (forged) return { seq: forged.seq, problem: "signed-head" };
  const newest = heads.find(isSignedHead);
  return newest && newest.seq > head.seq ? { seq: head.seq + 1, problem: "truncated" } : undefined;
}

/** Verifies the caller's trail from its start, or from where a previous verification stopped. */
export async function verifyTrail(
  { tenantId }: Pick<Caller, "tenantId">,
  after?: number,
): Promise<AuditVerification> {
  // Reads signed heads first: one signed after that could be beyond the chain head that is read next.
  const heads = await readHeads(tenantId);
  const head = await headOf(tenantId);
  const checkpoint = await lastCheckpoint(tenantId);
  const newest = heads.find(isSignedHead);
  const shown = {
    head: { seq: head.seq, hash: head.hash.toString("hex") },
    ...(checkpoint && {
      checkpoint: { seq: checkpoint.seq, madeAt: checkpoint.madeAt.toISOString() },
    }),
    ...(newest && { signed: { seq: newest.seq, at: newest.signedAt.toISOString() } }),
  };
  const fault = faultOfSignatures(checkpoint, heads, head);
  if (fault?.problem === "checkpoint")
    return { valid: false, complete: true, entries: 0, checkedTo: 0, ...shown, broken: fault };
  const from = after === undefined ? checkpoint : await entryAt(tenantId, after);
  const { at, ...state } = await verifyChain(tenantId, {
    from,
    to: head,
    heads,
    milliseconds: maxMs,
  });
  const checked = { ...state, checkedTo: at.seq, ...shown };
  return fault && state.valid ? { ...checked, valid: false, broken: fault } : checked;
}
