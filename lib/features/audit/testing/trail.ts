import { asc, eq } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";

/** The tenant's audit entries in the order in which they were recorded. */
export const trailOf = (tenantId: string) =>
  db()
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.tenantId, tenantId))
    .orderBy(asc(auditEvents.seq));

export const actionsOf = async (tenantId: string): Promise<string[]> =>
  (await trailOf(tenantId)).map(({ action }) => action);
