import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newApiKey, sha256 } from "@/lib/access/secrets";
import { db } from "@/lib/database/open";
import { keyHandOffs, tenantQuotas } from "@/lib/database/schema/schema";
import {
  type HandOffWorld,
  makeHandOffWorld,
  sealed,
} from "@/lib/features/api-keys/hand-offs/testing/hand-off-world";
import { trailOf } from "@/lib/features/audit/testing/trail";
import { findUse } from "@/lib/features/quotas/quotas";
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

const hashOf = (secret: string) => sha256(secret).toString("hex");
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
  test("with the path that withdraws it", async () => {
    const { headers, body } = await world.create();
    const path = `/v1/user/profile/api-keys/${world.apiKeyId}/hand-offs/${body.id}`;
    expect(headers.get("location")).toBe(path);
  });

  test("whatever the tenant's quota of open links, and without counting toward it", async () => {
    const { tenant: tenantId } = world;
    await db().insert(tenantQuotas).values({ tenantId, quota: "links", max: 0 });
    expect((await world.create()).status).toBe(201);
    expect(await findUse(tenantId, "links")).toBe(0);
  });

  test("a token of 256 random bits, of which the store has only the hash", async () => {
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

  test("the audit trail has the author, the key and the expiry, and nothing that opens the link", async () => {
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
    ["more than a sealed key", { sealed: `${sealed}x` }, "/sealed"],
    ["less than a sealed key", { sealed: sealed.slice(1) }, "/sealed"],
    ["another alphabet", { sealed: `${sealed.slice(4)}+/==` }, "/sealed"],
    ["no hash of the secret", { secretHash: undefined }, "/secretHash"],
    ["the secret instead of its hash", { secretHash: newApiKey() }, "/secretHash"],
    ["the hash of another secret", { secretHash: hashOf(newApiKey()) }, "/secretHash"],
  ])("%s", async (_, body, reason) => {
    const answer = await world.create(body);
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
  });
});

test("400 for the previous secret after a rotation, although it is still valid, and nothing is stored", async () => {
  expect((await world.change("rotate")).status).toBe(200);
  const { status, body } = await world.create({ secretHash: hashOf(world.key.apiKey) });
  expect([status, body.reason]).toEqual([400, "/secretHash"]);
  expect(await rowsOf(world.tenant)).toEqual([]);
});

test("404 for an unknown key and for another user's", async () => {
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
    ["a suspended key", { suspendedAt: new Date() }, "api-key.suspended"],
  ])("%s", async (_, row, code) => {
    const { apiKeyId } = await longKey(row);
    expect(await codeOf(apiKeyId)).toEqual([409, code]);
  });
});

describe("409 for more than ten links of a key", () => {
  const statusesOf = async (count: number, apiKeyId?: string) => {
    const creating = () => world.create({}, world.owner.headers, apiKeyId);
    const answers = await Promise.all(Array.from({ length: count }, creating));
    return answers.map(({ status }) => status).sort();
  };

  test("also when they are created concurrently; other keys have their own limit", async () => {
    expect(await statusesOf(12)).toEqual([...Array<number>(10).fill(201), 409, 409]);
    expect(await rowsOf(world.tenant)).toHaveLength(10);
    const { body } = await world.create();
    expect([body.code, body.reason]).toEqual(["api-key.hand-off-limit-reached", "10"]);
    expect(await statusesOf(1, (await longKey()).apiKeyId)).toEqual([201]);
  });

  test("until one was opened or has expired", async () => {
    const token = await world.token();
    await statusesOf(9);
    await world.open(token);
    expect(await statusesOf(2)).toEqual([201, 409]);
    await db()
      .update(keyHandOffs)
      .set({ expiresAt: inMs(-1000) })
      .where(eq(keyHandOffs.tenantId, world.tenant));
    expect(await statusesOf(1)).toEqual([201]);
    expect(await rowsOf(world.tenant), "the expired ones are gone").toHaveLength(1);
  });
});

test("a new link deletes those for a secret that is not the current one", async () => {
  await world.create();
  await db()
    .update(keyHandOffs)
    .set({ secretHash: sha256("another") })
    .where(eq(keyHandOffs.tenantId, world.tenant));
  const { body } = await world.create();
  expect(await rowsOf(world.tenant)).toMatchObject([{ handOffId: body.id }]);
});

describe("links are deleted when their secret ends", () => {
  test.each(["rotate", "suspend"])("%s", async (verb) => {
    await world.create();
    expect((await world.change(verb)).status).toBe(200);
    expect(await rowsOf(world.tenant)).toEqual([]);
  });

  test("revoke", async () => {
    await world.create();
    expect((await world.revoke()).status).toBe(204);
    expect(await rowsOf(world.tenant)).toEqual([]);
  });

  test("a reported leak", async () => {
    await world.create();
    const body = { apiKey: world.key.apiKey };
    expect((await send("POST /v1/user/api-keys/report-leak", { body })).status).toBe(202);
    expect(await rowsOf(world.tenant)).toEqual([]);
  });

  test("a handover", async () => {
    await world.create();
    const admin = await makeSignedInUser(world.tenant, { roleIds: ["tenant.admin"] });
    const { status } = await send(`POST /v1/user/api-keys/${world.apiKeyId}/handover`, {
      headers: admin.headers,
      body: { userId: admin.userId },
    });
    expect(status).toBe(200);
    expect(await rowsOf(world.tenant)).toEqual([]);
  });

  test("renaming the key does not affect them", async () => {
    await world.create();
    const { status } = await send(`PATCH /v1/user/profile/api-keys/${world.apiKeyId}`, {
      headers: { ...world.owner.headers, "If-Match": "*" },
      body: { name: "renamed" },
    });
    expect(status).toBe(200);
    expect(await rowsOf(world.tenant)).toHaveLength(1);
  });
});
