import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { withAccessChange } from "@/lib/access/access-versions";
import { db } from "@/lib/database/open";
import { tenants } from "@/lib/database/schema/schema";
import { makeFactor } from "@/lib/features/sessions/second-factors/testing/factors";
import { isEmergencyAdministrator } from "@/lib/features/users/emergency-administrators";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeSignedInUser, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
const admin = { roleIds: ["tenant.admin"] };
const path = "/v1/tenant/emergency-administrators";
let tenant: string;
let boss: Awaited<ReturnType<typeof makeSignedInUser>>;

beforeEach(async () => {
  tenant = await makeTenant();
  boss = await makeSignedInUser(tenant, admin);
});

const add = (id: string) => send(`PUT ${path}/${id}`, { headers: boss.headers });
const remove = (id: string) => send(`DELETE ${path}/${id}`, { headers: boss.headers });
const list = async () => (await send(`GET ${path}`, { headers: boss.headers })).body;

describe("naming", () => {
  test("204, listed with whether the user can sign in, and 204 again", async () => {
    const { userId, login } = await makeUser(tenant, admin);
    const answer = await add(userId);
    expect(answer.status, answer.text).toBe(204);
    expect((await add(userId)).status).toBe(204);
    expect(await list()).toMatchObject([{ id: userId, login, isReady: false }]);
    await makeFactor(tenant, userId);
    expect(await list()).toMatchObject([{ id: userId, isReady: true, hasSecondFactor: true }]);
    expect(await isEmergencyAdministrator(db(), { tenantId: tenant, userId })).toBe(true);
    expect((await remove(userId)).status).toBe(204);
    expect((await remove(userId)).body.code).toBe("emergency-administrator.not-found");
    expect(await list()).toEqual([]);
  });

  test("409 for a fourth, a program, a guest and a user who is no tenant.admin; 404 for an unknown user", async () => {
    const unsuitable = "emergency-administrator.unsuitable";
    const other = await makeTenant();
    const guest = await makeUser(other, admin);
    const row = { userId: guest.userId, homeTenantId: other };
    await makeUser(tenant, { ...admin, row });
    const program = await makeUser(tenant, { ...admin, row: { kind: "service" } });
    const local = await makeUser(tenant, { sites: { one: ["tenant.admin"] } });
    for (const { userId } of [guest, program, local])
      expect((await add(userId)).body.code).toBe(unsuitable);
    for (let n = 0; n < 3; n += 1)
      expect((await add((await makeUser(tenant, admin)).userId)).status).toBe(204);
    const fourth = await makeUser(tenant, admin);
    expect((await add(fourth.userId)).body).toMatchObject({
      code: "emergency-administrator.limit-reached",
      reason: "3",
    });
    expect((await add("user_nobody")).body.code).toBe("user.not-found");
  });

  test("401 with an old proof of identity", async () => {
    const authenticatedAt = new Date(Date.now() - 16 * 60_000);
    const { headers } = await makeSession(tenant, boss.userId, { authenticatedAt });
    const answer = await send(`PUT ${path}/${boss.userId}`, { headers });
    expect(answer.body.code).toBe("auth.step-up-required");
  });
});

test("409 emergency-administrator.last for any change that would lock the last one out while only they may use passwords", async () => {
  const last = await makeSignedInUser(tenant, admin);
  const { factorId } = await makeFactor(tenant, last.userId);
  await add(last.userId);
  const unready = await makeUser(tenant, admin);
  await add(unready.userId);
  const policy = { passwordSignIn: "emergency-only" } as const;
  await withAccessChange(tenant, (tx) =>
    tx.update(tenants).set({ policy }).where(eq(tenants.tenantId, tenant)),
  );
  const { headers } = boss;
  const user = `/v1/user/${last.userId}`;
  const roles = { roleIds: ["portal.default"], sites: {} };
  const etag = (await send(`GET ${user}/roles`, { headers })).headers.get("etag") ?? "";
  const attempts = [
    () => remove(last.userId),
    () => send(`POST ${user}/lock`, { headers, body: { reason: "left" } }),
    () => send(`POST ${user}/deactivate`, { headers }),
    () => send(`POST ${user}/reset-second-factors`, { headers, body: { reason: "lost" } }),
    () => send(`PUT ${user}/roles`, { headers: { ...headers, "If-Match": etag }, body: roles }),
    () => send(`DELETE /v1/user/second-factors/${factorId}`, { headers: last.headers }),
  ];
  for (const attempt of attempts)
    expect((await attempt()).body.code).toBe("emergency-administrator.last");
  expect((await remove(unready.userId)).status).toBe(204);
  const second = await makeUser(tenant, admin);
  await makeFactor(tenant, second.userId);
  await add(second.userId);
  expect((await send(`DELETE /v1/user/second-factors/${factorId}`, last)).status).toBe(204);
});
