import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { db } from "@/lib/database/open";
import { users } from "@/lib/database/schema/schema";
import {
  type HandOffWorld,
  makeHandOffWorld,
  opensNothing,
  shownOf,
} from "@/lib/features/api-keys/hand-offs/testing/hand-off-world";
import { testServer } from "@/lib/http/testing/test-server";
import { makeApiKey, makeSignedInUser, makeUser } from "@/lib/setup/testing/factories";

/** A link is checked again when it is opened; an invalid one is then deleted permanently. */

const send = testServer();
let world: HandOffWorld;
let admin: Record<string, string>;

beforeEach(async () => {
  vi.stubEnv("RATE_LIMITS", "off");
  world = await makeHandOffWorld(send);
  admin = (await makeSignedInUser(world.tenant, { roleIds: ["tenant.admin"] })).headers;
});

const setUser = (userId: string, row: Partial<typeof users.$inferInsert>) =>
  db()
    .update(users)
    .set(row)
    .where(and(eq(users.tenantId, world.tenant), eq(users.userId, userId)));

async function setRoles(userId: string, roleIds: string[]): Promise<void> {
  const headers = { ...admin, "If-Match": "*" };
  const body = { roleIds, sites: {} };
  const { status, text } = await send(`PUT /v1/user/${userId}/roles`, { headers, body });
  expect(status, text).toBe(200);
}

/** A link that a manager created to a service user's key. */
async function managedLink() {
  const manager = await makeSignedInUser(world.tenant, { roleIds: ["portal.users.mgmt"] });
  const service = await makeUser(world.tenant, {
    roleIds: ["portal.default"],
    row: { kind: "service" },
  });
  const { apiKeyId } = await makeApiKey(world.tenant, service.userId);
  const { status, text, body } = await world.createManaged(apiKeyId, manager.headers);
  expect(status, text).toBe(201);
  return { token: body.token as string, managerId: manager.userId, serviceId: service.userId };
}

const healthy = { isLocked: false, state: "active" } as const;
const states: [string, Partial<typeof users.$inferInsert>][] = [
  ["locked", { isLocked: true }],
  ["deactivated", { state: "deactivated" }],
];

test("200 while nothing has changed", async () => {
  const { token } = await managedLink();
  expect((await world.open(token)).status).toBe(200);
});

describe("404, then and later", () => {
  test.each(states)("the owner, who created the link, is %s", async (_, row) => {
    const token = await world.token();
    await setUser(world.owner.userId, row);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
    expect(await world.countRows()).toBe(0);
    await setUser(world.owner.userId, healthy);
    expect(await shownOf(world.open(token)), "later").toEqual(opensNothing);
  });

  test("all of the owner's sessions were ended", async () => {
    const token = await world.token();
    const { headers } = world.owner;
    expect((await send("DELETE /v1/user/sessions", { headers })).status).toBe(204);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
  });

  test("the owner lost all roles", async () => {
    const token = await world.token();
    await setRoles(world.owner.userId, []);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
    await setRoles(world.owner.userId, ["portal.default"]);
    expect(await shownOf(world.open(token)), "later").toEqual(opensNothing);
  });

  test.each(states)("the manager who created the link is %s", async (_, row) => {
    const { token, managerId } = await managedLink();
    await setUser(managerId, row);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
    await setUser(managerId, healthy);
    expect(await shownOf(world.open(token)), "later").toEqual(opensNothing);
  });

  test.each(states)("the service user who owns the key is %s", async (_, row) => {
    const { token, serviceId } = await managedLink();
    await setUser(serviceId, row);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
    await setUser(serviceId, healthy);
    expect(await shownOf(world.open(token)), "later").toEqual(opensNothing);
  });

  test("the service user is erased", async () => {
    const { token, serviceId } = await managedLink();
    const headers = admin;
    const body = { reason: "gone" };
    expect((await send(`POST /v1/user/${serviceId}/deactivate`, { headers })).status).toBe(200);
    const erased = await send(`POST /v1/user/${serviceId}/erase`, { headers, body });
    expect(erased.status, erased.text).toBe(200);
    expect(await world.countRows()).toBe(0);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
  });

  test("the manager may not manage keys any more", async () => {
    const { token, managerId } = await managedLink();
    await setRoles(managerId, ["portal.default"]);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
  });

  test("the service user has more permissions than the manager", async () => {
    const { token, serviceId } = await managedLink();
    await setRoles(serviceId, ["portal.configurations.mgmt"]);
    expect(await shownOf(world.open(token))).toEqual(opensNothing);
  });
});
