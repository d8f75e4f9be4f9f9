import { count, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, transaction } from "@/lib/database/open";
import { auditEvents, users } from "@/lib/database/schema/schema";
import { failureOf } from "@/lib/database/testing/failing";
import { actingAsSystem } from "@/lib/features/audit/service";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { createMember, createUser } from "./create";

const noRoles = { roleIds: [], sites: {} };
const person = (login: string) => ({
  login,
  name: "Žofie Malá",
  emailAddress: "zofie@example.com",
  roles: noRoles,
});

async function counts(tenantId: string) {
  const [people] = await db()
    .select({ total: count() })
    .from(users)
    .where(eq(users.tenantId, tenantId));
  const [entries] = await db()
    .select({ total: count() })
    .from(auditEvents)
    .where(eq(auditEvents.tenantId, tenantId));
  return { people: people?.total, entries: entries?.total };
}

test("of ten concurrent creations of one login, in any case, one succeeds and records the only audit entry", async () => {
  const tenantId = await makeTenant();
  const logins = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? "Žofie" : "žOFIE"));
  const create = (login: string) =>
    transaction((tx) => createUser(tx, actingAsSystem(tenantId, "test"), person(login)));
  const failures = await Promise.all(logins.map((login) => failureOf(create(login))));
  expect(failures.filter((failure) => failure === undefined)).toHaveLength(1);
  for (const failure of failures)
    if (failure) expect(failure).toMatchObject({ code: "user.login-taken", reason: "/login" });
  expect(await counts(tenantId)).toEqual({ people: 1, entries: 1 });
});

test("a member's login is unique in the tenant: one in use is rejected, independent of the login in the home tenant", async () => {
  const [home, tenantId] = [await makeTenant(), await makeTenant()];
  const { userId } = await makeUser(home, { login: "zofie" });
  await makeUser(tenantId, { login: "zofie" });
  const join = (login: string) => {
    const member = { ...person(login), userId, homeTenantId: home };
    return transaction((tx) => createMember(tx, actingAsSystem(tenantId, "test"), member));
  };
  expect(await failureOf(join("zofie"))).toMatchObject({ code: "user.login-taken" });
  await expect(join("zofie.at.home")).resolves.toBeUndefined();
  expect(await counts(tenantId)).toEqual({ people: 2, entries: 1 });
});
