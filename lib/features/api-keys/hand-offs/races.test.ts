import { and, eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { lockTenant } from "@/lib/access/access-versions";
import { type Transaction, transaction } from "@/lib/database/open";
import { apiKeys, users } from "@/lib/database/schema/schema";
import { awaitLockWaits } from "@/lib/database/testing/lock-waits";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSignedInUser, makeUser } from "@/lib/setup/testing/factories";
import {
  type HandOffWorld,
  makeHandOffWorld,
  opensNothing,
  shownOf,
} from "./testing/hand-off-world";

const send = testServer();
let world: HandOffWorld;

beforeEach(async () => {
  vi.stubEnv("RATE_LIMITS", "off");
  world = await makeHandOffWorld(send);
});

/** Starts a request that waits for the lock on the tenant's row, applies the change in the locking transaction and commits it. */
async function whileHeld<Answer>(
  request: () => Promise<Answer>,
  change: (tx: Transaction) => Promise<unknown>,
): Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  await transaction(async (tx) => {
    await lockTenant(tx, world.tenant);
    answer = request();
    await awaitLockWaits(tx);
    await change(tx);
  });
  if (!answer) throw new Error("The transaction did not begin.");
  return answer;
}

const ofTenant = () => eq(users.tenantId, world.tenant);

test("403 for a manager who is deactivated while the link is created: no row is left with the id", async () => {
  const manager = await makeSignedInUser(world.tenant, { roleIds: ["portal.users.mgmt"] });
  const service = { roleIds: ["portal.default"], row: { kind: "service" as const } };
  const { userId } = await makeUser(world.tenant, service);
  const { apiKeyId } = await makeApiKey(world.tenant, userId);
  const { status, body } = await whileHeld(
    () => world.createManaged(apiKeyId, manager.headers),
    (tx) =>
      tx
        .update(users)
        .set({ state: "deactivated" })
        .where(and(ofTenant(), eq(users.userId, manager.userId))),
  );
  expect([status, body.code]).toEqual([403, "user.deactivated"]);
  expect(await world.countRows()).toBe(0);
});

test("409 for a key that is revoked while the link is created", async () => {
  const { status, body } = await whileHeld(
    () => world.create(),
    (tx) =>
      tx.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.tenantId, world.tenant)),
  );
  expect([status, body.code]).toEqual([409, "api-key.revoked"]);
  expect(await world.countRows()).toBe(0);
});

test("404 for a link whose owner is locked while it is opened, and the link is deleted", async () => {
  const token = await world.token();
  const answer = await whileHeld(
    () => shownOf(world.open(token)),
    (tx) => tx.update(users).set({ isLocked: true }).where(ofTenant()),
  );
  expect(answer).toEqual(opensNothing);
  expect(await world.countRows()).toBe(0);
});

test("404 for an unknown link, without waiting for the lock on the tenant's row", async () => {
  await transaction(async (tx) => {
    await lockTenant(tx, world.tenant);
    for (const token of ["garbage", `svh_${"0".repeat(43)}`])
      expect(await shownOf(world.open(token))).toEqual(opensNothing);
  });
});
