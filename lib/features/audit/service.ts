import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Caller } from "@/lib/access/caller";
import { newId } from "@/lib/database/ids";
import type { Transaction } from "@/lib/database/open";
import { auditEvents, tenants } from "@/lib/database/schema/schema";
import { chainHash, saltedHash } from "./chain";
import type { AuditActor, AuditChanges, AuditTarget } from "./contract";

/** On whose behalf an entry is written; for what nobody signed in for, the actor is named by the service itself. */
export interface Acting {
  tenantId: string;
  actor: AuditActor;
  requestId: string;
  address: string;
  agent: string;
}

interface Fact {
  action: string;
  target: AuditTarget;
  changes?: AuditChanges;
  result?: "success" | "failure";
}

export function actingAs(caller: Caller): Acting {
  const { tenantId, userId, login, requestId, address, agent } = caller;
  const keyId = caller.kind === "apiKey" ? { keyId: caller.credentialId } : {};
  return {
    tenantId,
    actor: { type: "user", id: userId, login, ...keyId },
    requestId,
    address,
    agent,
  };
}

/** Writes one entry at the head of the tenant's chain, in the transaction of what it tells about. */
export async function record(
  tx: Transaction,
  acting: Acting,
  { action, target, changes = {}, result = "success" }: Fact,
  occurredAt = new Date(),
): Promise<void> {
  const { tenantId, actor, requestId, address, agent } = acting;
  const [head] = await tx
    .update(tenants)
    .set({ auditSeq: sql`${tenants.auditSeq} + 1` })
    .where(eq(tenants.tenantId, tenantId))
    .returning({ seq: tenants.auditSeq, hash: tenants.auditHead });
  if (!head) throw new Error(`There is no tenant ${tenantId} to write an audit entry for.`);
  const salt = randomBytes(16);
  const facts = {
    seq: head.seq,
    auditId: newId("aud"),
    occurredAt,
    actor,
    action,
    target,
    changes,
    requestId,
    result,
    addressHash: saltedHash(salt, address),
    agentHash: saltedHash(salt, agent),
  };
  const hash = chainHash(head.hash, facts);
  await tx
    .insert(auditEvents)
    .values({ tenantId, ...facts, address, agent, salt, previousHash: head.hash, hash });
  await tx.update(tenants).set({ auditHead: hash }).where(eq(tenants.tenantId, tenantId));
}
