import { and, eq, gt } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { currentKid, signText } from "@/lib/access/secret-key";
import { db, transaction } from "@/lib/database/open";
import { auditEvents, auditHeads, tenants } from "@/lib/database/schema/schema";
import { awaitLockWaits } from "@/lib/database/testing/lock-waits";
import { log } from "@/lib/protocol/log";
import { makeTenant } from "@/lib/setup/testing/factories";
import { forgetHeads, type HeadRow, headAnswer, headText, readHeads } from "./heads";
import { actingAsSystem, record } from "./service";
import { signChangedHeads, signHead, startSigningHeads, tenantsToSign } from "./sign-heads";

afterEach(() => void vi.restoreAllMocks());

async function write(tenant: string, count = 1): Promise<void> {
  const fact = { action: "user.locked", target: { type: "user" as const, id: "u" } };
  for (let n = 0; n < count; n += 1)
    await transaction((tx) => record(tx, actingAsSystem(tenant, "test"), fact));
}

const seqs = async (tenant: string) => (await readHeads(tenant)).map(({ seq }) => seq);

async function chainEnd(tenantId: string) {
  const { auditSeq: seq, auditHead: hash, auditMac: mac } = tenants;
  const rows = await db()
    .select({ seq, hash, mac })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  const [end] = rows;
  if (!end) throw new Error("There is no such tenant.");
  return end;
}

/** A head for the last entry, as the service would have signed it this many hours ago. */
async function headOfHoursAgo(tenantId: string, hours: number): Promise<HeadRow> {
  const signedAt = new Date(Date.now() - hours * 3600_000);
  const row = { tenantId, ...(await chainEnd(tenantId)), signedAt, kid: currentKid() };
  const signature = Buffer.alloc(0);
  return { ...row, signature: signText(headText(headAnswer({ ...row, signature }))) };
}

const setTenant = (tenantId: string, values: Partial<typeof tenants.$inferInsert>) =>
  db().update(tenants).set(values).where(eq(tenants.tenantId, tenantId));

test("signs the head of every chain that changed, also when two processes do it at once", async () => {
  const created = [await makeTenant(), await makeTenant()];
  for (const tenant of created) await write(tenant);
  const stops = [startSigningHeads(), startSigningHeads()];
  for (const tenant of created)
    await vi.waitFor(async () => expect(await readHeads(tenant)).toMatchObject([{ seq: 1 }]), {
      timeout: 100_000,
    });
  await Promise.all(stops.map((stop) => stop()));
});

test("verifying a trail yields to other work on the event loop", async () => {
  const tenant = await makeTenant();
  const fact = { action: "user.locked", target: { type: "user" as const, id: "u" } };
  await transaction(async (tx) => {
    for (let n = 0; n < 300; n += 1) await record(tx, actingAsSystem(tenant, "test"), fact);
  });
  const turns = vi.spyOn(globalThis, "setImmediate");
  expect(await signHead(tenant)).toBe(true);
  expect(turns.mock.calls.filter(([{ name }]) => name === "callNext").length).toBeGreaterThan(1);
});

describe("write access to the database is not enough to switch signing off", () => {
  test("by setting the column that marks all entries as signed", async () => {
    const tenant = await makeTenant();
    await write(tenant, 2);
    await setTenant(tenant, { auditSignedSeq: 2 });
    await signChangedHeads();
    expect(await seqs(tenant)).toEqual([2]);
  });

  test.each([0, 24 * 365])("by an unsigned head, dated %i hours ahead", async (hours) => {
    const tenant = await makeTenant();
    await write(tenant, 2);
    const noSignature = Buffer.alloc(64);
    const forged = { ...(await headOfHoursAgo(tenant, -hours)), signature: noSignature };
    await db().insert(auditHeads).values(forged);
    await signChangedHeads();
    const head = headAnswer(await headOfHoursAgo(tenant, 0));
    const heads = await readHeads(tenant);
    const signed = heads.filter(({ signature }) => !noSignature.equals(signature));
    expect(signed.map(headAnswer)).toMatchObject([{ seq: 2, hash: head.hash, mac: head.mac }]);
    await signChangedHeads();
    expect(await seqs(tenant)).toEqual([2, 2]);
  });
});

describe("a chain without new entries", () => {
  test("gets a head a day", async () => {
    const tenant = await makeTenant();
    await write(tenant);
    await db()
      .insert(auditHeads)
      .values(await headOfHoursAgo(tenant, 25));
    await signChangedHeads();
    const heads = await readHeads(tenant);
    expect(heads.map(({ seq }) => seq)).toEqual([1, 1]);
    expect(Date.now() - Number(heads[0]?.signedAt)).toBeLessThan(3600_000);
    expect(await tenantsToSign()).not.toContain(tenant);
  });

  test("gets none while its head is younger", async () => {
    const tenant = await makeTenant();
    await write(tenant);
    await db()
      .insert(auditHeads)
      .values(await headOfHoursAgo(tenant, 23));
    await signChangedHeads();
    expect(await seqs(tenant)).toEqual([1]);
  });

  test("gets none without any entry", async () => {
    const tenant = await makeTenant();
    expect(await tenantsToSign()).not.toContain(tenant);
  });
});

describe("a process logs an error and signs nothing when the store has lost a head that it saw signed", () => {
  async function cutBackTo(tenantId: string, seq: number): Promise<void> {
    const [last] = await db()
      .select()
      .from(auditEvents)
      .where(and(eq(auditEvents.tenantId, tenantId), eq(auditEvents.seq, seq)));
    if (!last) throw new Error("There is no such entry.");
    for (const table of [auditEvents, auditHeads])
      await db()
        .delete(table)
        .where(and(eq(table.tenantId, tenantId), gt(table.seq, seq)));
    const end = { auditSeq: seq, auditHead: last.hash, auditMac: last.mac };
    await setTenant(tenantId, { ...end, auditSignedSeq: seq });
  }

  async function signedTrail() {
    const tenant = await makeTenant();
    for (const count of [2, 3]) {
      await write(tenant, count);
      await signChangedHeads();
    }
    return tenant;
  }

  const complaints = async (tenant: string) => {
    const logged = vi.spyOn(log(), "error").mockClear();
    await signChangedHeads();
    return logged.mock.calls.flatMap(([about, text]) =>
      (about as { tenantId?: string }).tenantId === tenant ? [text] : [],
    );
  };

  test("entries and heads were cut back", async () => {
    const tenant = await signedTrail();
    await cutBackTo(tenant, 2);
    expect(await complaints(tenant)).toEqual([
      expect.stringContaining("the audit trail ends before its last signed head"),
    ]);
    await write(tenant, 5);
    expect(await complaints(tenant)).toHaveLength(1);
    expect(await seqs(tenant)).toEqual([2]);
    forgetHeads();
    expect(await signHead(tenant)).toBe(true);
  });

  test("only the newest heads were deleted", async () => {
    const tenant = await signedTrail();
    await db()
      .delete(auditHeads)
      .where(and(eq(auditHeads.tenantId, tenant), gt(auditHeads.seq, 2)));
    expect(await complaints(tenant)).toHaveLength(1);
  });
});

test("stops after the current tenant, however many are left", async () => {
  const made = [await makeTenant(), await makeTenant(), await makeTenant()];
  for (const tenant of made) await write(tenant);
  const isSigned = async (tenant: string) => (await readHeads(tenant)).length > 0;
  let stopped = Promise.resolve();
  await transaction(async (tx) => {
    for (const tenant of made)
      await tx.select().from(tenants).where(eq(tenants.tenantId, tenant)).for("update");
    const stop = startSigningHeads();
    await awaitLockWaits(tx);
    stopped = stop();
  });
  await stopped;
  const signed = await Promise.all(made.map(isSigned));
  expect(signed.filter(Boolean)).toHaveLength(1);
});
