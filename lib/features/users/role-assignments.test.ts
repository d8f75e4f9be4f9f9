import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { parseGrants } from "@/lib/access/credential-store";
import { db, transaction } from "@/lib/database/open";
import { roleAssignments, users } from "@/lib/database/schema/schema";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";
import { grantsOf, replaceRoles } from "./role-assignments";

test("the text of a user's roles parses to the written roles, and matches the rows", async () => {
  const tenantId = await makeTenant();
  const { userId } = await makeUser(tenantId, { roleIds: ["portal.default"] });
  const roles = {
    roleIds: ["portal.default", "portal.users.mgmt"],
    sites: { one: { roleIds: ["portal.pim.mgmt"] }, two: { roleIds: ["portal.qa.mgmt"] } },
  };
  for (const given of [roles, { roleIds: [], sites: {} }, roles]) {
    await transaction((tx) => replaceRoles(tx, { tenantId, userId }, given));
    const [user] = await db()
      .select()
      .from(users)
      .where(and(eq(users.tenantId, tenantId), eq(users.userId, userId)));
    const rows = await db()
      .select()
      .from(roleAssignments)
      .where(and(eq(roleAssignments.tenantId, tenantId), eq(roleAssignments.userId, userId)));
    expect(parseGrants(user?.grants ?? "?")).toEqual(given);
    expect(grantsOf(rows)).toBe(user?.grants);
  }
});
