import { and, eq } from "drizzle-orm";
import { afterEach, describe, expect, test, vi } from "vitest";
import { db, transaction } from "@/lib/database/open";
import { auditEvents, auditHeads, tenants } from "@/lib/database/schema/schema";
import { onEmptyStore } from "@/lib/database/testing/empty-store";
import { log } from "@/lib/protocol/log";
import { cleanTenant } from "@/lib/setup/cleaning";
import { makeTenant } from "@/lib/setup/testing/factories";
import { chainHash } from "./chain";
import { pruneAuditEvents } from "./checkpoints";
import { actingAsSystem, record } from "./service";
import { signChangedHeads, signHead } from "./sign-heads";
import { trailOf } from "./testing/trail";
import { verifyTrail } from "./verify-trail";

const minute = 60_000;
const day = 24 * 60 * minute;
const ago = (days: number) => new Date(Date.now() - days * day);

afterEach(() => vi.useRealTimers());

const write = (tenantId: string, at?: Date) =>
  transaction((tx) =>
    record(
      tx,
      actingAsSystem(tenantId, "test"),
      { action: "user.locked", target: { type: "user", id: "u" } },
      at,
    ),
  );

const seqs = async (tenantId: string) => (await trailOf(tenantId)).map(({ seq }) => seq);

describe("the time of an entry", () => {
  test("never goes back within a chain", async () => {
    const tenant = await makeTenant();
    await write(tenant);
    await write(tenant, ago(500));
    const [first, second] = await trailOf(tenant);
    expect(second?.occurredAt).toEqual(first?.occurredAt);
  });

  test.each([-500 * day, 9 * day, 500 * day])(
    "is the database's when this process's clock is %d ms off",
    async (off) => {
      const tenant = await makeTenant();
      const before = Date.now();
      vi.useFakeTimers({ toFake: ["Date"] });
      vi.setSystemTime(before + off);
      await write(tenant);
      await write(tenant, new Date());
      vi.useRealTimers();
      for (const { occurredAt: at } of await trailOf(tenant))
        expect(Math.abs(at.getTime() - before)).toBeLessThan(minute);
    },
  );

  test("returns to the database's after an entry dated in the future", async () => {
    const tenant = await makeTenant();
    await db()
      .update(tenants)
      .set({ auditAt: ago(-500) })
      .where(eq(tenants.tenantId, tenant));
    await write(tenant);
    expect((await trailOf(tenant))[0]?.occurredAt.getTime()).toBeLessThan(Date.now() + minute);
  });
});

describe("pruning", () => {
  /** Entries as an earlier version with a wrong clock may have left them. */
  async function trailWithTimes(...days: number[]): Promise<string> {
    const tenant = await makeTenant();
    for (const at of days.map(ago)) {
      await db().update(tenants).set({ auditAt: null }).where(eq(tenants.tenantId, tenant));
      await write(tenant, at);
    }
    return tenant;
  }

  test("an entry of 500 days ago among younger ones erases nothing", async () => {
    const tenant = await trailWithTimes(2, 1, 500);
    await pruneAuditEvents(tenant, new Date());
    await cleanTenant(tenant, new Date());
    expect(await seqs(tenant)).toEqual([1, 2, 3]);
  });

  test("deletes the contiguous old prefix only", async () => {
    const tenant = await trailWithTimes(500, 401, 1, 500);
    await pruneAuditEvents(tenant, new Date());
    expect(await seqs(tenant)).toEqual([3, 4]);
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject({
      valid: true,
      checkpoint: { seq: 2 },
    });
  });

  test("deletes more entries than one batch holds, batch by batch", async () => {
    const tenant = await makeTenant();
    await transaction(async (tx) => {
      for (let n = 0; n < 550; n += 1)
        await record(
          tx,
          actingAsSystem(tenant, "test"),
          { action: "user.locked", target: { type: "user", id: "u" } },
          ago(401),
        );
    });
    await write(tenant);
    await pruneAuditEvents(tenant, new Date());
    expect(await seqs(tenant)).toEqual([551]);
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject({
      valid: true,
      checkpoint: { seq: 550 },
    });
  });
});

describe("verification", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  const secret = (text: string) => text.repeat(32).slice(0, 64);

  test("holds after SECRET_KEY was rotated, with the previous key or below a head signed with the current one", async () => {
    const tenant = await makeTenant();
    vi.stubEnv("SECRET_KEY", secret("a1"));
    await write(tenant);
    vi.stubEnv("SECRET_KEY", secret("b2"));
    vi.stubEnv("SECRET_KEY_PREVIOUS", secret("a1"));
    await write(tenant);
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject({ valid: true, entries: 2 });
    vi.stubEnv("SECRET_KEY_PREVIOUS", "");
    const unknown = { valid: false, broken: { seq: 1, problem: "key" } };
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject(unknown);
    vi.stubEnv("SECRET_KEY_PREVIOUS", secret("a1"));
    await signHead(tenant);
    vi.stubEnv("SECRET_KEY_PREVIOUS", "");
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject({ valid: true, entries: 2 });
  });

  test("still holds, signs and prunes an idle trail without the former key, once all trails are signed under the new one", () =>
    onEmptyStore(async () => {
      const tenant = await makeTenant();
      vi.stubEnv("SECRET_KEY", secret("a1"));
      for (const days of [500, 450, 402]) await write(tenant, ago(days));
      await signHead(tenant);
      await pruneAuditEvents(tenant, ago(60));
      expect(await seqs(tenant)).toEqual([2, 3]);
      await write(tenant);
      await signHead(tenant);
      vi.stubEnv("SECRET_KEY", secret("b2"));
      vi.stubEnv("SECRET_KEY_PREVIOUS", secret("a1"));
      const logged = vi.spyOn(log(), "info");
      await signChangedHeads();
      expect(logged.mock.calls.map(([, text]) => text)).toContain(
        "all audit trails are signed under the new SECRET_KEY",
      );
      vi.stubEnv("SECRET_KEY_PREVIOUS", "");
      expect(await verifyTrail({ tenantId: tenant })).toMatchObject({ valid: true, entries: 3 });
      await write(tenant);
      expect(await signHead(tenant)).toBe(true);
      await pruneAuditEvents(tenant, new Date());
      expect(await seqs(tenant)).toEqual([4, 5]);
      expect(await verifyTrail({ tenantId: tenant })).toMatchObject({ valid: true, entries: 2 });
    }));

  test("a head that the former key did not sign is not signed again", () =>
    onEmptyStore(async () => {
      const tenant = await makeTenant();
      vi.stubEnv("SECRET_KEY", secret("a1"));
      await write(tenant);
      await signHead(tenant);
      await db()
        .update(auditHeads)
        .set({ signature: Buffer.alloc(64) })
        .where(eq(auditHeads.tenantId, tenant));
      vi.stubEnv("SECRET_KEY", secret("b2"));
      vi.stubEnv("SECRET_KEY_PREVIOUS", secret("a1"));
      const logged = vi.spyOn(log(), "info");
      await signChangedHeads();
      expect(logged.mock.calls.map(([, text]) => text)).not.toContain(
        "all audit trails are signed under the new SECRET_KEY",
      );
      expect(await verifyTrail({ tenantId: tenant })).toMatchObject({
        valid: false,
        broken: { seq: 1, problem: "signed-head" },
      });
    }));

  test("holds for entries from before there were MACs, followed by keyed ones", async () => {
    const tenant = await makeTenant();
    await write(tenant);
    const [row] = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, tenant));
    if (!row) throw new Error("The entry is missing.");
    const hash = chainHash(row.previousHash, { ...row, personal: null });
    const unkeyed = { personal: null, keyId: null, mac: null, hash };
    await db().update(auditEvents).set(unkeyed).where(eq(auditEvents.tenantId, tenant));
    const head = { auditHead: hash, auditMac: null, auditAt: null };
    await db().update(tenants).set(head).where(eq(tenants.tenantId, tenant));
    await signHead(tenant);
    await write(tenant);
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject({
      valid: true,
      entries: 2,
      signed: { seq: 1 },
    });
    await db()
      .update(auditEvents)
      .set({ action: "user.unlocked" })
      .where(and(eq(auditEvents.tenantId, tenant), eq(auditEvents.seq, 1)));
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject({
      valid: false,
      broken: { seq: 1, problem: "content" },
    });
  });
});
