import { createHash } from "node:crypto";
import { and, eq, gt } from "drizzle-orm";
import { trailKeySet } from "@/lib/access/secret-key";
import { db, transaction } from "@/lib/database/open";
import { auditEvents, auditHeads, tenants } from "@/lib/database/schema/schema";
import { chainHash, emptyHead } from "@/lib/features/audit/chain";
import { headAnswer, readHeads } from "@/lib/features/audit/heads";
import { type AuditRow, exportedAnswer } from "@/lib/features/audit/list";
import { OfflineCheck } from "@/lib/features/audit/offline";
import { record } from "@/lib/features/audit/service";
import { signHead } from "@/lib/features/audit/sign-heads";
import { makeTenant } from "@/lib/setup/testing/factories";
import { trailOf } from "./trail";

export async function append(tenantId: string, count: number): Promise<void> {
  const acting = {
    tenantId,
    requestId: "req_1",
    address: "192.0.2.1",
    agent: "curl",
    actor: { type: "user" as const, id: "user_1", login: "ada.lovelace" },
  };
  for (let n = 0; n < count; n += 1) {
    const changes = {
      emailAddress: { before: "old@example.com", after: "new@example.com" },
      state: { after: "active" },
    };
    await transaction((tx) =>
      record(tx, acting, {
        action: "user.updated",
        target: { type: "user", id: "user_2", name: "bob.builder" },
        changes,
      }),
    );
  }
}

export const ofTenant = (tenantId: string) => eq(auditEvents.tenantId, tenantId);

/** A trail of ten entries with signed heads at 5 and 10, and the copy of the heads that is kept elsewhere. */
export async function watchedTrail() {
  const tenant = await makeTenant();
  for (const count of [5, 5]) {
    await append(tenant, count);
    await signHead(tenant);
  }
  return { tenant, copy: (await readHeads(tenant)).map(headAnswer) };
}

export async function check(
  tenantId: string,
  copy: Awaited<ReturnType<typeof watchedTrail>>["copy"],
) {
  const offline = new OfflineCheck(copy, { keySet: trailKeySet() });
  for (const row of await trailOf(tenantId))
    offline.add(JSON.parse(JSON.stringify(exportedAnswer(row))));
  return offline.result();
}

export const sha = (text: string) => createHash("sha256").update(text).digest();

/** What an attacker with write access to the database can do without SECRET_KEY: write entries with matching hashes and made-up MACs. */
export async function rechain(
  tenantId: string,
  change: (row: AuditRow) => Partial<AuditRow>,
  from = 1,
): Promise<void> {
  let head: Buffer = emptyHead;
  for (const row of await trailOf(tenantId)) {
    const changed = row.seq < from ? row : { ...row, ...change(row) };
    const { tenantId: _, ...columns } = changed;
    const hash = chainHash(head, { ...changed, previousHash: head } as AuditRow);
    const mac = row.seq < from ? row.mac : sha(`made up ${row.seq}`);
    await db()
      .update(auditEvents)
      .set({ ...columns, previousHash: head, hash, mac })
      .where(and(ofTenant(tenantId), eq(auditEvents.seq, row.seq)));
    head = hash;
  }
  await db().update(tenants).set({ auditHead: head }).where(eq(tenants.tenantId, tenantId));
}

export async function cutBack(tenantId: string, seq: number): Promise<void> {
  await db()
    .delete(auditEvents)
    .where(and(ofTenant(tenantId), gt(auditEvents.seq, seq)));
  await db()
    .delete(auditHeads)
    .where(and(eq(auditHeads.tenantId, tenantId), gt(auditHeads.seq, seq)));
  const last = (await trailOf(tenantId)).at(-1);
  const head = {
    auditSeq: seq,
    auditHead: last?.hash ?? emptyHead,
    auditMac: last?.mac ?? null,
    auditSignedSeq: Math.min(seq, 5),
  };
  await db().update(tenants).set(head).where(eq(tenants.tenantId, tenantId));
}
