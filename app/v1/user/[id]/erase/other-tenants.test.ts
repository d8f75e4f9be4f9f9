import { and, eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/database/open";
import { auditEvents, memberships, users } from "@/lib/database/schema/schema";
import { verifyTrail } from "@/lib/features/audit/verify-trail";
import { memberElsewhere, noteMember, personalRowsOf } from "@/lib/features/users/testing/erasure";
import { testServer } from "@/lib/http/testing/test-server";
import { makeSession, makeTenant, makeUser } from "@/lib/setup/testing/factories";

const send = testServer();
let tenant: string;
let admin: { userId: string; headers: Record<string, string> };
let person: { userId: string; login: string; headers: Record<string, string> };

const name = "Zora Zimmermann";

async function makePerson(given: Parameters<typeof makeUser>[1] = {}, where = tenant) {
  const { userId, login } = await makeUser(where, { name, ...given });
  const { headers } = await makeSession(where, userId);
  return { userId, login, headers };
}

beforeAll(async () => {
  process.env.RATE_LIMITS = "off";
  tenant = await makeTenant();
  admin = await makePerson({ roleIds: ["tenant.admin"], name: "Ada Example" });
});
beforeEach(async () => {
  person = await makePerson({ roleIds: ["portal.pim.mgmt"], password: "four words in a row" });
});

const post = (verb: string, headers = admin.headers, body?: unknown) =>
  send(`POST /v1/user/${person.userId}/${verb}`, { headers, ...(body ? { body } : {}) });
const erase = (headers = admin.headers, body: unknown = { reason: "Ticket 4711" }) =>
  post("erase", headers, body);

const home = () => ({ tenantId: tenant, userId: person.userId, name });

describe("200: erases the user", () => {
  test("in every tenant where the user is a member, and its audit trail still verifies", async () => {
    const other = await makeTenant();
    await makeUser(other, {
      login: "guest-of-theirs",
      name,
      roleIds: ["portal.default"],
      row: { userId: person.userId, homeTenantId: tenant },
    });
    await db().insert(memberships).values({
      tenantId: tenant,
      userId: person.userId,
      memberTenantId: other,
      notedAt: new Date(),
    });
    const { headers } = await makeSession(other, person.userId);
    await send("DELETE /v1/user/session", { headers });
    await post("deactivate");
    expect((await erase()).status).toBe(200);
    const [there] = await db()
      .select()
      .from(users)
      .where(and(eq(users.tenantId, other), eq(users.userId, person.userId)));
    expect(there).toMatchObject({ login: person.userId, name: "Erased user", emailAddress: "" });
    expect(await personalRowsOf(other)).not.toMatch(/Zimmermann|guest-of-theirs/);
    expect((await verifyTrail({ tenantId: other })).valid).toBe(true);
    const kept = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, other));
    const own = kept.filter(({ actor }) => actor.id === person.userId);
    expect(own.map(({ action, address }) => [action, address])).toEqual([
      ["session.ended", "127.0.0.1"],
    ]);
  });

  test("a tenant in the list of memberships that has no row of the user, or does not exist, gets no entry", async () => {
    const there = await makeTenant();
    await noteMember(home(), there);
    await noteMember(home(), "t-never-made");
    await post("deactivate");
    expect((await erase()).status).toBe(200);
    const rows = await db().select().from(auditEvents).where(eq(auditEvents.tenantId, there));
    expect(rows).toEqual([]);
  });

  test("of the administrator of a tenant without other users", async () => {
    const other = await memberElsewhere(home(), ["tenant.admin"]);
    await post("deactivate");
    expect((await erase()).status).toBe(200);
    expect(await personalRowsOf(other)).not.toContain("Zimmermann");
  });
});
