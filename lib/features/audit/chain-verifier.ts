import { and, asc, eq, gt, lte } from "drizzle-orm";
import { isAuthentic } from "@/lib/access/secret-key";
import { db } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import { takeTurns } from "@/lib/protocol/take-turns";
import { beginning, chainHash, falsePersonalPath, type Link, macText, saltedHash } from "./chain";
import type { AuditVerification } from "./contract";
import { type HeadRow, isSamePlace, isSignedHead } from "./heads";
import { type AuditRow, partSize } from "./list";

type Broken = NonNullable<AuditVerification["broken"]>;
type Problem = Broken["problem"];

export interface ChainState {
  valid: boolean;
  complete: boolean;
  entries: number;
  /** The last verified place. */
  at: Link;
  broken?: Broken;
}

interface Range {
  from?: Link | undefined;
  to: Link;
  /** Signed heads that the chain must pass through. */
  heads?: HeadRow[];
  /** Stops after this time and returns what was verified by then. */
  milliseconds?: number;
}

/** The faults of the values next to the chained hashes; erased values have none. */
function erasableProblem(row: AuditRow): Problem | undefined {
  const { salt, address, agent, addressHash, agentHash } = row;
  if (address !== null && !saltedHash(salt, address).equals(addressHash)) return "address";
  if (agent !== null && !saltedHash(salt, agent).equals(agentHash)) return "agent";
  return row.personal !== null && falsePersonalPath(row, row.personal) !== undefined
    ? "personal"
    : undefined;
}

/** All entries after the first keyed one must be keyed. An entry whose key is unknown here is valid if a signed head covers it. */
function macProblem(row: AuditRow, before: Link, vouchedTo: number): Problem | undefined {
  const { tenantId, keyId, mac } = row;
  if (keyId === null || mac === null)
    return before.mac === null && row.personal === null ? undefined : "unkeyed";
  const isRight = isAuthentic(keyId, macText(tenantId, before.mac, row), mac);
  if (isRight === undefined) return row.seq <= vouchedTo ? undefined : "key";
  return isRight ? undefined : "mac";
}

function rowProblem(row: AuditRow, before: Link, vouchedTo: number): Problem | undefined {
  if (!row.previousHash.equals(before.hash)) return "link";
  if (!chainHash(before.hash, row).equals(row.hash)) return "content";
  return macProblem(row, before, vouchedTo) ?? erasableProblem(row);
}

class Walk {
  private readonly heads = new Map<number, HeadRow[]>();
  private readonly vouchedTo: number;
  constructor(heads: HeadRow[]) {
    const signed = heads.filter(isSignedHead);
    for (const head of signed) {
      const others = this.heads.get(head.seq);
      if (others) others.push(head);
      else this.heads.set(head.seq, [head]);
    }
    this.vouchedTo = Math.max(0, ...signed.map(({ seq }) => seq));
  }

  /** What is wrong with the entry that follows the given place. */
  faultOf(row: AuditRow, before: Link): Broken | undefined {
    const { seq, auditId: id } = row;
    if (seq !== before.seq + 1)
      return { seq: before.seq + 1, problem: before.seq === 0 ? "erased" : "missing" };
    const problem = rowProblem(row, before, this.vouchedTo);
    if (problem) return { seq, id, problem };
    const isDifferent = this.heads.get(seq)?.some((head) => !isSamePlace(head, row));
    return isDifferent ? { seq, id, problem: "signed-head" } : undefined;
  }
}

/** Recomputes the hashes and MACs of the entries between two places. Only erasable values may be missing. */
export async function verifyChain(tenantId: string, range: Range): Promise<ChainState> {
  const { from = beginning, to, heads = [], milliseconds = Number.POSITIVE_INFINITY } = range;
  const until = performance.now() + milliseconds;
  const walk = new Walk(heads);
  const turn = takeTurns();
  let at: Link = from;
  const state = (broken?: Broken): ChainState => {
    const common = { entries: at.seq - from.seq, at };
    return broken
      ? { valid: false, complete: true, ...common, broken }
      : { valid: true, complete: at.seq >= to.seq, ...common };
  };
  while (at.seq < to.seq && performance.now() < until) {
    const rows = await db()
      .select()
      .from(auditEvents)
      .where(
        and(
          eq(auditEvents.tenantId, tenantId),
          gt(auditEvents.seq, at.seq),
          lte(auditEvents.seq, to.seq),
        ),
      )
      .orderBy(asc(auditEvents.seq))
      .limit(partSize);
    for (const row of rows) {
      await turn();
      const broken = walk.faultOf(row, at);
      if (broken) return state(broken);
      at = { seq: row.seq, hash: row.hash, mac: row.mac };
    }
    if (rows.length === 0) return state({ seq: at.seq + 1, problem: "missing" });
  }
  if (at.seq === to.seq && !isSamePlace(at, to)) return state({ seq: at.seq, problem: "head" });
  return state();
}
