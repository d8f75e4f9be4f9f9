import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { keyHandOffs, tenantQuotas } from "@/lib/database/schema/schema";
import { trailOf } from "@/lib/features/audit/testing/trail";
import {
  type HandOffWorld,
  makeHandOffWorld,
  sealed,
} from "@/lib/features/key-hand-offs/testing/hand-off-world";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSignedInUser } from "@/lib/setup/testing/factories";

const send = testServer();
let world: HandOffWorld;

beforeAll(() => {
  process.env.RATE_LIMITS = "off";
});
beforeEach(async () => {
  world = await makeHandOffWorld(send);
});

const inMs = (ms: number) => new Date(Date.now() + ms);
const rowsOf = (tenantId: string) =>
  db().select().from(keyHandOffs).where(eq(keyHandOffs.tenantId, tenantId));
const longKey = (row = {}) =>
  makeApiKey(world.tenant, world.owner.userId, { validTo: inMs(30 * 86_400_000), ...row });
const codeOf = async (apiKeyId: string) => {
  const { status, body } = await world.create({}, world.owner.headers, apiKeyId);
  return [status, body.code];
};

describe("201", () => {
  test("a token of 256 random bits, of which the store has the hash alone", async () => {
    const { status, body } = await world.create();
    expect(status).toBe(201);
    expect(body.token).toMatch(/^svh_[0-9A-Za-z]{43}$/);
    const rows = await rowsOf(world.tenant);
    expect(rows).toMatchObject([{ handOffId: body.id, sealed, userId: world.owner.userId }]);
    expect(JSON.stringify(rows)).not.toContain(body.token);
  });

  test.each([
    ["a day without a choice", {}, 86_400],
    ["an hour", { validFor: "PT1H" }, 3600],
    ["seven days", { validFor: "P7D" }, 7 * 86_400],
  ])("it expires after %s", async (_, body, seconds) => {
    const { apiKeyId } = await longKey();
    const created = await world.create(body, world.owner.headers, apiKeyId);
    const left = (Date.parse(created.body.expiresAt) - Date.now()) / 1000;
    expect(left).toBeGreaterThan(seconds - 60);
    expect(left).toBeLessThanOrEqual(seconds);
  });

  test("it does not expire later than the key", async () => {
    const validTo = inMs(60_000);
    const { apiKeyId } = await longKey({ validTo });
    const { body } = await world.create({}, world.owner.headers, apiKeyId);
    expect(body.expiresAt).toBe(validTo.toISOString());
  });

  test("the trail says who, of which key and until when, and nothing that opens it", async () => {
    const { body } = await world.create();
    const entry = (await trailOf(world.tenant)).at(-1);
    expect(entry).toMatchObject({
      action: "api-key.hand-off-created",
      actor: { type: "user", id: world.owner.userId },
      target: { type: "api-key", id: world.apiKeyId },
      changes: { handOff: { after: body.id }, expiresAt: { after: body.expiresAt } },
    });
    const text = JSON.stringify(entry);
    expect(text).not.toContain(body.token);
    expect(text).not.toContain(sealed);
  });
});

describe("400", () => {
  test.each([
    ["more than seven days", { validFor: "P8D" }, "/validFor"],
    ["less than a minute", { validFor: "PT30S" }, "/validFor"],
    ["more than 1 KiB", { sealed: "x".repeat(1025) }, "/sealed"],
    ["too little to be sealed", { sealed: "abc" }, "/sealed"],
    ["another alphabet", { sealed: `${sealed}+/==` }, "/sealed"],
  ])("%s", async (_, body, reason) => {
    const answer = await world.create(body);
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
  });
});

test("404 for an unknown key and for somebody else's", async () => {
  const other = await makeSignedInUser(world.tenant, { roleIds: ["portal.default"] });
  const foreign = await makeApiKey(world.tenant, other.userId);
  expect(await codeOf("key_none")).toEqual([404, "api-key.not-found"]);
  expect(await codeOf(foreign.apiKeyId)).toEqual([404, "api-key.not-found"]);
});

describe("409", () => {
  test.each([
    ["a revoked key", { revokedAt: new Date() }, "api-key.revoked"],
    ["an expired key", { validTo: inMs(-1000) }, "api-key.expired"],
    ["a key whose secret leaked", { mustRotate: true }, "api-key.rotation-required"],
    ["a key whose secret nobody has", { awaitsRotation: true }, "api-key.rotation-required"],
  ])("%s", async (_, row, code) => {
    const { apiKeyId } = await longKey(row);
    expect(await codeOf(apiKeyId)).toEqual([409, code]);
  });
});

test("429 beyond the quota of open links, and nothing is stored", async () => {
  const { tenant: tenantId } = world;
  await db().insert(tenantQuotas).values({ tenantId, quota: "links", max: 1 });
  expect((await world.create()).status).toBe(201);
  const beyond = await world.create();
  expect([beyond.status, beyond.body.code, beyond.body.reason]).toEqual([
    429,
    "quota.exceeded",
    "links",
  ]);
  expect(await rowsOf(tenantId)).toHaveLength(1);
});
