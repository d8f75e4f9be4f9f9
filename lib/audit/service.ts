import { randomBytes } from "node:crypto";
import { and, desc, eq, gte, lt, or, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { cutPage, type Page, readCursor } from "@/lib/api/paging";
import { newId } from "@/lib/db/ids";
import { db, type Transaction } from "@/lib/db/open";
import { auditEvents, tenants } from "@/lib/db/schema/schema";
import { chainHash, saltedHash } from "./chain";
import type { AuditActor, AuditChanges, AuditEvent, AuditTarget, ListAuditEventsQuery } from "./contract";

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
  return { tenantId, actor: { type: "user", id: userId, login, ...keyId }, requestId, address, agent };
}

/** Writes one entry at the head of the tenant's chain, in the transaction of what it tells about. */
export async function record(tx: Transaction, acting: Acting, { action, target, changes = {}, result = "success" }: Fact): Promise<void> {
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
    occurredAt: new Date(),
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
  await tx.insert(auditEvents).values({ tenantId, ...facts, address, agent, salt, previousHash: head.hash, hash });
  await tx.update(tenants).set({ auditHead: hash }).where(eq(tenants.tenantId, tenantId));
}

/** The tenant's entries, newest first. */
export async function listAuditEvents(caller: Caller, query: z.output<typeof ListAuditEventsQuery>): Promise<Page<AuditEvent>> {
  const after = readCursor(query.cursor, 1, (seq) => /^\d{1,15}$/.test(seq));
  const conditions = [
    eq(auditEvents.tenantId, caller.tenantId),
    query.actor === undefined
      ? undefined
      : or(sql`${auditEvents.actor}->>'id' = ${query.actor}`, sql`${auditEvents.actor}->>'login' = ${query.actor}`),
    query.action === undefined ? undefined : eq(auditEvents.action, query.action),
    query.target === undefined ? undefined : sql`${auditEvents.target}->>'id' = ${query.target}`,
    query.from && gte(auditEvents.occurredAt, query.from),
    query.to && lt(auditEvents.occurredAt, query.to),
    after && lt(auditEvents.seq, Number(after[0])),
  ];
  const rows = await db()
    .select()
    .from(auditEvents)
    .where(and(...conditions))
    .orderBy(desc(auditEvents.seq))
    .limit(query.limit + 1);
  const page = cutPage(rows, query.limit, (row) => [String(row.seq)]);
  return { items: page.items.map(answerOf), next: page.next };
}

function answerOf(row: typeof auditEvents.$inferSelect): AuditEvent {
  const { auditId: id, occurredAt, actor, action, target, changes, requestId, address, result } = row;
  return {
    id,
    occurredAt: occurredAt.toISOString(),
    actor,
    action,
    target,
    changes,
    requestId,
    ...(address === null ? {} : { address }),
    result,
  };
}
