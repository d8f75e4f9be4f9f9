import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Caller } from "@/lib/access/caller";
import { authenticate } from "@/lib/access/secret-key";
import { databaseNow } from "@/lib/database/clock";
import { newId } from "@/lib/database/ids";
import type { Transaction } from "@/lib/database/open";
import { noticeActions } from "@/lib/database/schema/audit";
import { auditEvents, tenants } from "@/lib/database/schema/schema";
import { queueNotice } from "@/lib/features/mail/queue";
import type { AuditActor, AuditChanges, AuditTarget } from "@/lib/protocol/documents/audit-entry";
import { chainHash, macText, provePersonal, saltedHash } from "./chain";

/** An entry's time is at most so far past the database's clock. */
const maxAheadMs = 60_000;

/** On whose behalf an entry is written; for what nobody signed in for, the actor is named by the service itself. */
export interface Acting {
  tenantId: string;
  actor: AuditActor;
  requestId: string;
  address: string;
  agent: string;
}

type ActingCaller = Pick<
  Caller,
  "tenantId" | "userId" | "login" | "kind" | "credentialId" | "requestId" | "address" | "agent"
>;

const isNotice = (action: string) => (noticeActions as readonly string[]).includes(action);

interface Fact {
  action: string;
  target: AuditTarget;
  changes?: AuditChanges;
  result?: "success" | "failure";
  /** Users who get a mail about it; else its target's owner does, where that is a notice. */
  mailTo?: readonly string[];
}

export function actingAs(caller: ActingCaller): Acting {
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

/**
 * Moves the head of the tenant's chain on and returns what the next entry follows. Its time never goes back within the chain, unless what
 * stands there is more than a minute past the database's clock: then a clock was wrong when it was written.
 */
async function advanceHead(tx: Transaction, tenantId: string, occurredAt: Date | undefined) {
  const now = await databaseNow(tx);
  const wanted = (occurredAt === undefined || occurredAt > now ? now : occurredAt).toISOString();
  const latest = new Date(now.getTime() + maxAheadMs).toISOString();
  const [head] = await tx
    .update(tenants)
    .set({
      auditSeq: sql`${tenants.auditSeq} + 1`,
      auditAt: sql`case when ${tenants.auditAt} > ${latest}::timestamptz then ${wanted}::timestamptz else greatest(${tenants.auditAt}, ${wanted}::timestamptz) end`,
    })
    .where(eq(tenants.tenantId, tenantId))
    .returning({
      seq: tenants.auditSeq,
      hash: tenants.auditHead,
      mac: tenants.auditMac,
      at: tenants.auditAt,
    });
  if (!head) throw new Error(`There is no tenant ${tenantId} to write an audit entry for.`);
  return { ...head, at: head.at ?? now };
}

/**
 * Writes one entry at the head of the tenant's chain, in the transaction of what it records.
 * @param occurredAt when it happened, if not now; an entry is never dated before the one ahead of it
 */
export async function record(
  tx: Transaction,
  acting: Acting,
  fact: Fact,
  occurredAt?: Date,
): Promise<void> {
  const { action, target, changes = {}, result = "success" } = fact;
  const { tenantId, actor, requestId, address, agent } = acting;
  const head = await advanceHead(tx, tenantId, occurredAt);
  const salt = randomBytes(16);
  const facts = {
    ...{
      tenantId,
      seq: head.seq,
      auditId: newId("aud"),
      occurredAt: head.at,
      actor,
      action,
      target,
      changes,
      requestId,
      result,
    },
    addressHash: saltedHash(salt, address),
    agentHash: saltedHash(salt, agent),
    personal: provePersonal({ actor, target, changes }),
  };
  const hash = chainHash(head.hash, facts);
  const { keyId, mac } = authenticate(macText(tenantId, head.mac, { seq: head.seq, hash }));
  await tx
    .insert(auditEvents)
    .values({ ...facts, address, agent, salt, previousHash: head.hash, hash, keyId, mac });
  await tx
    .update(tenants)
    .set({ auditHead: hash, auditMac: mac })
    .where(eq(tenants.tenantId, tenantId));
  if (!isNotice(action) || occurredAt !== undefined) return;
  for (const userId of fact.mailTo ?? [undefined]) await queueNotice(tx, tenantId, facts, userId);
}
