import { and, asc, eq, gt, lte } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import { chainHash, emptyHead, saltedHash } from "./chain";
import type { AuditVerification } from "./contract";
import type { AuditRow } from "./list";

const partSize = 1000;

type Broken = NonNullable<AuditVerification["broken"]>;

/** A place in the chain: the number of an entry and its hash. */
export interface Link {
  seq: number;
  hash: Buffer;
}

export interface ChainState {
  valid: boolean;
  complete: boolean;
  entries: number;
  checkedTo: number;
  broken?: Broken;
}

/** What is wrong with an entry that should follow the given place. */
function faultOf(row: AuditRow, before: Link): Broken | undefined {
  const { seq, auditId: id, salt, address, agent, addressHash, agentHash } = row;
  if (seq !== before.seq + 1) return { seq: before.seq + 1, problem: "missing" };
  if (!row.previousHash.equals(before.hash)) return { seq, id, problem: "link" };
  const { auditId, occurredAt, actor, action, target, changes, requestId, result } = row;
  const facts = {
    seq,
    auditId,
    occurredAt,
    actor,
    action,
    target,
    changes,
    requestId,
    result,
    addressHash,
    agentHash,
  };
  if (!chainHash(before.hash, facts).equals(row.hash)) return { seq, id, problem: "content" };
  if (address !== null && !saltedHash(salt, address).equals(addressHash))
    return { seq, id, problem: "address" };
  if (agent !== null && !saltedHash(salt, agent).equals(agentHash))
    return { seq, id, problem: "agent" };
  return undefined;
}

/**
 * Computes the hashes of the entries between two places again. Address and agent may have been erased, nothing else changed.
 * Gives up after so many milliseconds; what it has looked at by then counts.
 */
export async function verifyChain(
  tenantId: string,
  from: Link = { seq: 0, hash: emptyHead },
  to: Link,
  milliseconds = Number.POSITIVE_INFINITY,
): Promise<ChainState> {
  const until = performance.now() + milliseconds;
  let at: Link = { seq: from.seq, hash: from.hash };
  const state = (broken?: Broken): ChainState => {
    const common = { entries: at.seq - from.seq, checkedTo: at.seq };
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
      const broken = faultOf(row, at);
      if (broken) return state(broken);
      at = { seq: row.seq, hash: row.hash };
    }
    if (rows.length === 0) return state({ seq: at.seq + 1, problem: "missing" });
  }
  if (at.seq === to.seq && !at.hash.equals(to.hash)) return state({ seq: at.seq, problem: "head" });
  return state();
}
