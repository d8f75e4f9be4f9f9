import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { apiKeys, keyHandOffs } from "@/lib/database/schema/schema";
import {
  type HandOffWorld,
  makeHandOffWorld,
  opensNothing,
  sealed,
  shownOf,
} from "@/lib/features/api-keys/hand-offs/testing/hand-off-world";
import { trailOf } from "@/lib/features/audit/testing/trail";
import { testServer } from "@/lib/http/testing/test-server";
import { makeTenant } from "@/lib/setup/testing/factories";

const send = testServer();
let world: HandOffWorld;

beforeEach(async () => {
  vi.stubEnv("RATE_LIMITS", "off");
  world = await makeHandOffWorld(send);
});

const past = () => new Date(Date.now() - 1000);
const setKey = (row: Partial<typeof apiKeys.$inferInsert>) =>
  db()
    .update(apiKeys)
    .set(row)
    .where(and(eq(apiKeys.tenantId, world.tenant), eq(apiKeys.apiKeyId, world.apiKeyId)));

describe("200", () => {
  test("the ciphertext, once: its row is deleted and the second opening gets nothing", async () => {
    const token = await world.token();
    const { status, body } = await world.open(token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ sealed, apiKeyId: world.apiKeyId });
    expect(await world.countRows()).toBe(0);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
  });

  test("of ten concurrent openings exactly one gets it", async () => {
    const token = await world.token();
    const answers = await Promise.all(Array.from({ length: 10 }, () => world.open(token)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(9).fill(404)]);
  });

  test("the audit trail records the opening with its address and no user", async () => {
    const { body } = await world.create();
    await world.open(body.token);
    expect((await trailOf(world.tenant)).at(-1)).toMatchObject({
      action: "api-key.hand-off-opened",
      actor: { type: "system", id: "hand-off-link" },
      target: { type: "api-key", id: world.apiKeyId },
      changes: { handOff: { before: body.id } },
      address: "127.0.0.1",
    });
  });

  test("another hand-off of the same key does not work with it", async () => {
    const [token, other] = [await world.token(), await world.token()];
    await world.open(token);
    expect((await world.open(other)).status).toBe(200);
  });
});

describe("404, the same for each", () => {
  test("an unknown token, and another tenant's", async () => {
    const token = await world.token();
    expect(await shownOf(world.open("svh_unknown"))).toEqual(opensNothing);
    expect(await shownOf(world.open(`svh_${"0".repeat(43)}`))).toEqual(opensNothing);
    expect(await shownOf(world.open(token, await makeTenant()))).toEqual(opensNothing);
    expect(await shownOf(world.open(token, "no-such-tenant"))).toEqual(opensNothing);
    expect((await world.open(token)).status).toBe(200);
  });

  test("an expired hand-off", async () => {
    const token = await world.token();
    await db()
      .update(keyHandOffs)
      .set({ expiresAt: past() })
      .where(eq(keyHandOffs.tenantId, world.tenant));
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
  });

  test("a suspended key, also after it is resumed", async () => {
    const token = await world.token();
    expect((await world.change("suspend")).status).toBe(200);
    expect((await world.change("resume")).status).toBe(200);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
  });

  test("a revoked key", async () => {
    const token = await world.token();
    expect((await world.revoke()).status).toBe(204);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
  });

  test("a rotated key, even while its previous secret works", async () => {
    const token = await world.token();
    expect((await world.change("rotate")).status).toBe(200);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
    expect((await world.open(await world.token())).status).toBe(200);
  });

  test.each([
    ["that has expired", { validTo: past() }],
    ["whose secret leaked", { mustRotate: true }],
    ["that is suspended", { suspendedAt: past() }],
    ["that was handed over", { awaitsRotation: true }],
  ])("a key %s", async (_, row) => {
    const token = await world.token();
    const inADay = new Date(Date.now() + 86_400_000);
    await setKey(row);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
    await setKey({ validTo: inADay, mustRotate: false, suspendedAt: null, awaitsRotation: false });
    expect(await shownOf(world.open(token)), "nor later").toEqual(opensNothing);
  });

  test("deleting a key deletes its hand-offs", async () => {
    const token = await world.token();
    await db()
      .delete(apiKeys)
      .where(and(eq(apiKeys.tenantId, world.tenant), eq(apiKeys.apiKeyId, world.apiKeyId)));
    expect(await world.countRows()).toBe(0);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
  });
});

test("429 for an address that guesses tokens", async () => {
  vi.stubEnv("RATE_LIMITS", "on");
  const statuses: number[] = [];
  for (let guess = 0; guess < 31; guess += 1)
    statuses.push((await world.open(`svh_${guess}`)).status);
  expect(statuses).toEqual([...Array<number>(30).fill(404), 429]);
  const { headers, body } = await world.open("svh_more");
  expect(body).toMatchObject({ code: "rate-limit.exceeded", reason: "hand-off" });
  expect(headers.get("retry-after")).toMatch(/^\d+$/);
});
