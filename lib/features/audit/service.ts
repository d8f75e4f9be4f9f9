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

/** How far an entry's time may be ahead of the database's clock. */
const maxAheadMs = 60_000;

/** The actor and request of an entry. Without a signed-in user, the service sets the actor. */
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
  /** Users to mail about it. Default: the target's owner, if the action is a notice. */
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
 * Advances the head of the tenant's chain by some entries and returns the previous hash and MAC. Its time never decreases, unless the
 * stored time is more than a minute ahead of the database's clock: then a clock was wrong when that entry was written.
 */
async function advanceHead(
  tx: Transaction,
  tenantId: string,
  { entries, occurredAt }: { entries: number; occurredAt: Date | undefined },
) {
  const now = await databaseNow(tx);
  const wanted = (occurredAt === undefined || occurredAt > now ? now : occurredAt).toISOString();
  const latest = new Date(now.getTime() + maxAheadMs).toISOString();
  const [head] = await tx
    .update(tenants)
    .set({
      auditSeq: sql`${tenants.auditSeq} + ${entries}::int`,
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

/** How many entries one statement writes. */
const maxInserted = 500;

/** Writes entries one after the other at the head of the tenant's chain. */
async function append(
  tx: Transaction,
  acting: Acting,
  given: readonly Fact[],
  occurredAt?: Date,
): Promise<{ auditId: string; occurredAt: Date }[]> {
  const { tenantId, actor, requestId, address, agent } = acting;
  const head = await advanceHead(tx, tenantId, { entries: given.length, occurredAt });
  let previous = { hash: head.hash, mac: head.mac };
  const rows = given.map((fact, index) => {
    const { action, target, changes = {}, result = "success" } = fact;
    const seq = head.seq - given.length + 1 + index;
    const salt = randomBytes(16);
    const facts = {
      ...{ tenantId, seq, auditId: newId("aud"), occurredAt: head.at, actor, action },
      ...{ target, changes, requestId, result },
      addressHash: saltedHash(salt, address),
      agentHash: saltedHash(salt, agent),
      personal: provePersonal({ actor, target, changes }),
    };
    const hash = chainHash(previous.hash, facts);
    const { keyId, mac } = authenticate(macText(tenantId, previous.mac, { seq, hash }));
    const previousHash = previous.hash;
    previous = { hash, mac };
    return { ...facts, address, agent, salt, previousHash, hash, keyId, mac };
  });
  for (let at = 0; at < rows.length; at += maxInserted)
    await tx.insert(auditEvents).values(rows.slice(at, at + maxInserted));
  await tx
    .update(tenants)
    .set({ auditHead: previous.hash, auditMac: previous.mac })
    .where(eq(tenants.tenantId, tenantId));
  return rows;
}

/**
 * Writes one entry at the head of the tenant's chain, in the transaction of the change that it records.
 * @param occurredAt when it happened, if not now; an entry is never dated before the one ahead of it
 */
export async function record(
  tx: Transaction,
  acting: Acting,
  fact: Fact,
  occurredAt?: Date,
): Promise<void> {
  await recordEntry(tx, acting, fact, occurredAt);
}

/** Like `record`, and returns the id and time of the entry. */
export async function recordEntry(
  tx: Transaction,
  acting: Acting,
  fact: Fact,
  occurredAt?: Date,
): Promise<{ auditId: string; occurredAt: Date } | undefined> {
  const [entry] = await append(tx, acting, [fact], occurredAt);
  if (!entry || !isNotice(fact.action) || occurredAt !== undefined) return entry;
  for (const userId of fact.mailTo ?? [undefined])
    await queueNotice(tx, acting.tenantId, entry, userId);
  return entry;
}

/** Writes entries about many users in few statements. Sends no mails: the users see the notices in the portal. */
export async function recordAll(
  tx: Transaction,
  acting: Acting,
  facts: readonly Fact[],
): Promise<void> {
  if (facts.length > 0) await append(tx, acting, facts);
}

/** An actor for the server itself, without a signed-in user: `program` is the part that acts, such as "first-run". */
export function actingAsSystem(tenantId: string, program: string): Acting {
  return {
    tenantId,
    actor: { type: "system", id: program },
    requestId: newId("req"),
    address: "local",
    agent: program,
  };
}
