import { eq } from "drizzle-orm";
import { db } from "@/lib/database/open";
import {
  apiKeys,
  auditEvents,
  chartMarkers,
  keyHandOffs,
  memberships,
  previewComments,
  previewRevisions,
  previewShares,
  refusedRequests,
  sessions,
  users,
} from "@/lib/database/schema/schema";
import { makeTenant, makeUser } from "@/lib/setup/testing/factories";

/** Every row of a tenant that could hold personal data, as one text. */
export async function personalRowsOf(tenantId: string): Promise<string> {
  const previews = [previewRevisions, previewComments, previewShares];
  const tables = [
    users,
    auditEvents,
    sessions,
    apiKeys,
    keyHandOffs,
    ...previews,
    refusedRequests,
    chartMarkers,
  ];
  const rows = await Promise.all(
    tables.map((table) => db().select().from(table).where(eq(table.tenantId, tenantId))),
  );
  return JSON.stringify(rows.map((all) => all.map((row) => row)));
}

/** A user and the tenant that is their home. */
interface Person {
  tenantId: string;
  userId: string;
  name?: string;
}

/** Records in the home tenant that the user is a member of another tenant. */
export async function noteMember(
  { tenantId, userId }: Person,
  memberTenantId: string,
): Promise<void> {
  await db().insert(memberships).values({ tenantId, userId, memberTenantId, notedAt: new Date() });
}

/** Creates another tenant of which the user is a member. */
export async function memberElsewhere(
  person: Person,
  roleIds = ["portal.default"],
): Promise<string> {
  const other = await makeTenant();
  const { tenantId: homeTenantId, userId, name = "Ada Example" } = person;
  await makeUser(other, { name, roleIds, row: { userId, homeTenantId } });
  await noteMember(person, other);
  return other;
}
