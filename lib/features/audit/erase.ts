import { and, asc, eq, gt, or, sql } from "drizzle-orm";
import { db, type Transaction, transaction } from "@/lib/database/open";
import { asOwner } from "@/lib/database/owner-connection";
import { auditEvents } from "@/lib/database/schema/schema";
import { erasePersonal } from "./chain";
import type { AuditRow } from "./list";

const batchSize = 500;

type Change = Partial<typeof auditEvents.$inferInsert>;

/** The salt is erased too: given the salt, an address is guessed from its hash in seconds. */
const withoutOrigin: Change = { address: null, agent: null, salt: Buffer.alloc(0) };

function withoutPerson(row: AuditRow, personId: string): Change {
  const origin = row.actor.id === personId ? withoutOrigin : {};
  return row.personal === null
    ? origin
    : { ...origin, ...erasePersonal(row, row.personal, personId) };
}

async function readBatch(tenantId: string, personId: string, after: number): Promise<AuditRow[]> {
  const isTheirs = or(
    sql`${auditEvents.actor}->>'id' = ${personId}`,
    sql`${auditEvents.target}->>'id' = ${personId}`,
  );
  return db()
    .select()
    .from(auditEvents)
    .where(and(eq(auditEvents.tenantId, tenantId), gt(auditEvents.seq, after), isTheirs))
    .orderBy(asc(auditEvents.seq))
    .limit(batchSize);
}

async function eraseFrom(
  tenantId: string,
  personId: string,
  changeOf: (row: AuditRow) => Change,
): Promise<number> {
  let erased = 0;
  for (let after = 0; ; ) {
    const rows = await readBatch(tenantId, personId, after);
    const changed = rows
      .map((row) => ({ seq: row.seq, change: changeOf(row) }))
      .filter(({ change }) => Object.keys(change).length > 0);
    const work = async (tx: Transaction) => {
      for (const { seq, change } of changed)
        await tx
          .update(auditEvents)
          .set(change)
          .where(and(eq(auditEvents.tenantId, tenantId), eq(auditEvents.seq, seq)));
    };
    if (changed.length > 0) await asOwner((owner) => transaction(work, owner));
    erased += changed.length;
    after = rows.at(-1)?.seq ?? after;
    if (rows.length < batchSize) return erased;
  }
}

/**
 * Erases the personal values of a user from the tenant's trail: login, name, e-mail address, reasons, and the address and agent of their
 * actions. The
 * chain still verifies. Runs in separate transactions: call it after the one that erases the person has committed. May be repeated.
 * Entries from before there were MACs lose only address and agent. Returns the number of changed entries.
 */
export function erasePersonFromTrail(tenantId: string, personId: string): Promise<number> {
  return eraseFrom(tenantId, personId, (row) => withoutPerson(row, personId));
}

/** Erases login, name, e-mail address and reasons only, and keeps the address and agent of the user's actions. */
export function eraseIdentityFromTrail(tenantId: string, personId: string): Promise<number> {
  return eraseFrom(tenantId, personId, (row) =>
    row.personal === null ? {} : erasePersonal(row, row.personal, personId),
  );
}

/** Erases only the address and agent of the actor's entries. */
export function eraseOriginsFromTrail(tenantId: string, actorId: string): Promise<number> {
  return eraseFrom(tenantId, actorId, (row) => (row.actor.id === actorId ? withoutOrigin : {}));
}
