import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { transaction } from "@/lib/database/open";
import { roleAssignments, sites } from "@/lib/database/schema/schema";
import { awaitLockWaits } from "@/lib/database/testing/lock-waits";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();

test("400: a role at a site that is deleted concurrently, for users and for invitations", async () => {
  const tenant = await makeTenant({ siteIds: ["one"] });
  const admin = await makeSession(
    tenant,
    (await makeUser(tenant, { roleIds: ["tenant.admin"] })).userId,
  );
  const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
  const headers = { ...admin.headers, "If-Match": "*" };
  const roles = { roleIds: [], sites: { one: { roleIds: ["portal.pim.mgmt"] } } };
  const somebody = { login: "eve", name: "Eve", emailAddress: "eve@example.com", roles };
  const pending = await transaction(async (tx) => {
    await tx.delete(sites).where(and(eq(sites.tenantId, tenant), eq(sites.siteId, "one")));
    const asked = [
      send(`PUT /v1/user/${userId}/roles`, { headers, body: roles }),
      send("POST /v1/user/invitations", { headers: admin.headers, body: somebody }),
    ];
    await awaitLockWaits(tx, asked.length);
    return { asked };
  });
  const answers = await Promise.all(pending.asked);
  expect(answers.map(({ status, body }) => [status, body.code, body.reason])).toEqual([
    [400, "site.unknown", "/sites/one"],
    [400, "site.unknown", "/roles/sites/one"],
  ]);
});

test("409: a site is deleted while a user is granted a role there", async () => {
  const tenant = await makeTenant({ siteIds: ["one"] });
  const admin = await makeSession(
    tenant,
    (await makeUser(tenant, { roleIds: ["tenant.admin"] })).userId,
  );
  const { userId } = await makeUser(tenant, { roleIds: ["portal.default"] });
  const answer = await transaction(async (tx) => {
    await tx
      .select()
      .from(sites)
      .where(and(eq(sites.tenantId, tenant), eq(sites.siteId, "one")))
      .for("key share");
    await tx
      .insert(roleAssignments)
      .values({ tenantId: tenant, userId, siteId: "one", roleId: "portal.pim.mgmt" });
    const asked = send("DELETE /v1/tenant/sites/one", { headers: admin.headers });
    await awaitLockWaits(tx);
    return { asked };
  });
  const { status, body } = await answer.asked;
  expect([status, body.code, body.reason]).toEqual([409, "site.not-empty", "roles"]);
});
