import { eq } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { tenants } from "@/lib/database/schema/schema";
import type { SecurityPolicy } from "@/lib/protocol/documents/security-policy";

/** The tenant's own lifetimes and limits; absent members take the product's. */
export async function securityPolicy(tenantId: string): Promise<SecurityPolicy> {
  const [tenant] = await db()
    .select({ policy: tenants.policy })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  return tenant?.policy ?? {};
}

export async function tenantExists(tenantId: string): Promise<boolean> {
  const found = await db()
    .select({ tenantId: tenants.tenantId })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  return found.length > 0;
}

/** When a tenant of this kind was made; undefined when it is not there or of another kind. */
export async function findCreationTime(
  tenantId: string,
  kind: (typeof tenants.$inferSelect)["kind"],
): Promise<Date | undefined> {
  const [found] = await db()
    .select({ kind: tenants.kind, createdAt: tenants.createdAt })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  return found?.kind === kind ? found.createdAt : undefined;
}
