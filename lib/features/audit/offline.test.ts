import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, eq, lte } from "drizzle-orm";
import { afterAll, describe, expect, test } from "vitest";
import { trailKeySet } from "@/lib/access/secret-key";
import { projectRoot } from "@/lib/database/data-dir";
import { db } from "@/lib/database/open";
import { auditEvents, tenants } from "@/lib/database/schema/schema";
import { eraseOriginsFromTrail, erasePersonFromTrail } from "./erase";
import { forgetHeads, headAnswer, readHeads } from "./heads";
import { type AuditRow, exportedAnswer } from "./list";
import { OfflineCheck, parseHeads } from "./offline";
import { signHead } from "./sign-heads";
import { trailOf } from "./testing/trail";
import {
  append,
  check,
  cutBack,
  ofTenant,
  rechain,
  sha,
  watchedTrail,
} from "./testing/watched-trail";
import { verifyTrail } from "./verify-trail";

const folder = mkdtempSync(join(tmpdir(), "audit-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the offline check against a copy of the heads", () => {
  test("finds nothing in a trail as it was recorded, and reports how far heads cover it", async () => {
    const { tenant, copy } = await watchedTrail();
    await append(tenant, 2);
    expect(await check(tenant, copy)).toMatchObject({
      valid: true,
      tenant,
      entries: 12,
      first: 1,
      last: 12,
      signedTo: 10,
    });
  });

  test("finds that the newest entries were deleted, although the store verifies", async () => {
    const { tenant, copy } = await watchedTrail();
    await cutBack(tenant, 7);
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject({ valid: true });
    const { valid, findings } = await check(tenant, copy);
    expect(valid).toBe(false);
    expect(findings[0]).toContain("entries 8 to 10: missing");
  });

  test("finds an old backup that was restored and then written to", async () => {
    const { tenant, copy } = await watchedTrail();
    await cutBack(tenant, 5);
    forgetHeads();
    await append(tenant, 8);
    await signHead(tenant);
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject({ valid: true });
    expect((await check(tenant, copy)).findings).toContain(
      "entry 10: differs from its signed head, the chain was rewritten",
    );
    const both = [...copy, ...(await readHeads(tenant)).map(headAnswer)];
    expect((await check(tenant, both)).valid).toBe(false);
  });

  test("finds forged actors in a chain whose hashes were all recomputed", async () => {
    const { tenant, copy } = await watchedTrail();
    await rechain(tenant, () => ({ actor: { type: "user", id: "user_666" }, personal: {} }));
    expect((await check(tenant, copy)).findings).toContain(
      "entry 5: differs from its signed head, the chain was rewritten",
    );
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject({
      valid: false,
      broken: { seq: 1, problem: "mac" },
    });
  });

  test("finds a chain that was rewritten without MACs, in the former format", async () => {
    const { tenant, copy } = await watchedTrail();
    await rechain(tenant, () => ({
      actor: { type: "user", id: "user_666" },
      personal: null,
      keyId: null,
    }));
    await db().update(auditEvents).set({ mac: null }).where(ofTenant(tenant));
    await db().update(tenants).set({ auditMac: null }).where(eq(tenants.tenantId, tenant));
    expect((await check(tenant, copy)).valid).toBe(false);
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject({
      valid: false,
      broken: { problem: "signed-head" },
    });
  });

  test("forged entries beyond the newest head are never signed", async () => {
    const { tenant } = await watchedTrail();
    await append(tenant, 3);
    await rechain(tenant, () => ({ actor: { type: "user", id: "user_666" }, personal: {} }), 12);
    await append(tenant, 1);
    await signHead(tenant);
    expect((await readHeads(tenant))[0]?.seq).toBe(11);
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject({
      valid: false,
      broken: { seq: 12, problem: "mac" },
    });
  });

  test("finds that two tenants' chains were swapped", async () => {
    const [one, two] = [await watchedTrail(), await watchedTrail()];
    const [ones, twos] = [await trailOf(one.tenant), await trailOf(two.tenant)];
    for (const [tenantId, rows] of [
      [one.tenant, twos],
      [two.tenant, ones],
    ] as const) {
      await db().delete(auditEvents).where(ofTenant(tenantId));
      await db()
        .insert(auditEvents)
        .values(rows.map((row) => ({ ...row, tenantId })));
    }
    const { valid, findings } = await check(one.tenant, one.copy);
    expect(valid).toBe(false);
    expect(findings).toContain("entry 1: its content is not what was recorded");
  });

  test("finds that the oldest entries were deleted before their time", async () => {
    const { tenant, copy } = await watchedTrail();
    await db()
      .delete(auditEvents)
      .where(and(ofTenant(tenant), lte(auditEvents.seq, 5)));
    expect((await check(tenant, copy)).findings[0]).toContain("entries before 6: missing");
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject({
      valid: false,
      broken: { seq: 1, problem: "erased" },
    });
  });

  test("finds a head that no key of the key set signed", async () => {
    const { tenant, copy } = await watchedTrail();
    const forged = copy.map((head) => ({ ...head, hash: sha("x").toString("hex") }));
    expect((await check(tenant, forged)).findings[0]).toContain(
      "not signed by a key of the key set",
    );
  });

  test("still verifies after personal values were erased, which removes them completely", async () => {
    const { tenant, copy } = await watchedTrail();
    expect(await erasePersonFromTrail(tenant, "user_1")).toBe(10);
    expect(await erasePersonFromTrail(tenant, "user_2")).toBe(10);
    expect(await check(tenant, copy)).toMatchObject({ valid: true });
    expect(await verifyTrail({ tenantId: tenant })).toMatchObject({ valid: true });
    const left = JSON.stringify(await trailOf(tenant));
    for (const text of ["ada.lovelace", "bob.builder", "old@example.com", "192.0.2.1", "curl"])
      expect(left).not.toContain(text);
    expect(left).toContain("user_1");
  });

  test("still verifies after addresses were erased and names kept", async () => {
    const { tenant, copy } = await watchedTrail();
    expect(await eraseOriginsFromTrail(tenant, "user_1")).toBe(10);
    expect(await check(tenant, copy)).toMatchObject({ valid: true });
    expect(await trailOf(tenant)).toMatchObject(
      Array(10).fill({ address: null, agent: null, actor: { login: "ada.lovelace" } }),
    );
  });

  test("finds a name that was put into an entry in place of the recorded or of an erased one", async () => {
    const { tenant, copy } = await watchedTrail();
    const rename = (seq: number) =>
      db()
        .update(auditEvents)
        .set({ actor: { type: "user", id: "user_1", login: "eve" } })
        .where(and(ofTenant(tenant), eq(auditEvents.seq, seq)));
    await rename(2);
    expect((await check(tenant, copy)).findings).toEqual([
      expect.stringContaining("entry 2: a name"),
    ]);
    await erasePersonFromTrail(tenant, "user_1");
    await rename(3);
    expect((await check(tenant, copy)).findings).toEqual([
      expect.stringContaining("entry 3: a name"),
    ]);
  });

  test("finds that no head was signed for more than 26 hours since daily heads were introduced", async () => {
    const { copy } = await watchedTrail();
    const [newest] = copy;
    if (!newest) throw new Error("The head is missing.");
    const hours = (count: number) => new Date(Date.parse(newest.at) + count * 3600_000);
    const later = (count: number) => ({ ...newest, at: hours(count).toISOString() });
    const findings = (heads: typeof copy, takenAfter: number, dailyFrom = hours(-100)) =>
      new OfflineCheck(heads, { dailyFrom, takenAt: hours(takenAfter) })
        .result()
        .findings.filter((text) => text.startsWith("no head was signed"));
    expect(findings([newest, later(24), later(49)], 74)).toEqual([]);
    expect(findings([newest, later(24), later(51)], 52)).toEqual([
      `no head was signed from ${hours(24).toISOString()} to ${hours(51).toISOString()}: the service stood still, or signing was switched off`,
    ]);
    expect(findings([newest], 27)).toHaveLength(1);
    expect(findings([newest, later(100)], 101, hours(90))).toEqual([]);
    expect(findings([newest, later(100)], 101, hours(73))).toHaveLength(1);
  });

  test("runs as a command on files, also with log lines as the copy", async () => {
    const { tenant, copy } = await watchedTrail();
    const exported = join(folder, "export.ndjson");
    const heads = join(folder, "heads.ndjson");
    const jwks = join(folder, "jwks.json");
    const lines = (values: unknown[]) =>
      values.map((value) => `${JSON.stringify(value)}\n`).join("");
    const log = lines([
      { msg: "listening" },
      ...copy.map((auditHead) => ({ msg: "audit head", auditHead })),
    ]);
    expect(parseHeads(log)).toEqual(copy);
    writeFileSync(heads, log);
    writeFileSync(jwks, JSON.stringify({ keys: trailKeySet() }));
    const run = async (rows: AuditRow[]) => {
      writeFileSync(exported, lines(rows.map(exportedAnswer).toReversed()));
      const args = ["scripts/run.mjs", "audit-verify", exported, heads, "--jwks", jwks];
      return new Promise<{ code: number; output: string }>((done) =>
        execFile(
          process.execPath,
          args,
          { cwd: projectRoot(), env: { ...process.env, SECRET_KEY: "" } },
          (error, output) => done({ code: Number(error?.code ?? 0), output }),
        ),
      );
    };
    const rows = await trailOf(tenant);
    expect(await run(rows)).toEqual({
      code: 0,
      output: `valid: tenant ${tenant}, 10 entries, 1 to 10\n`,
    });
    expect(await run(rows.slice(0, 8))).toMatchObject({
      code: 1,
      output: expect.stringContaining("NOT VALID"),
    });
  });
});
