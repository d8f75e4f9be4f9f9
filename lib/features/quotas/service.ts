import { eq } from "drizzle-orm";
import type { z } from "zod";
import type { Caller } from "@/lib/access/caller";
import { db, transaction } from "@/lib/database/open";
import { tenantQuotas, tenants } from "@/lib/database/schema/schema";
import { actingAs, record } from "@/lib/features/audit/service";
import { ApiError } from "@/lib/protocol/errors";
import type { NewQuota, Quota } from "./contract";
import { findLimit, findLimitsAndUses, findUse } from "./quotas";
import { type QuotaName, quotaNames, quotas } from "./values";

async function describeQuota(tenantId: string, quota: QuotaName): Promise<Quota> {
  const { max: limit, isDefault } = await findLimit(db(), tenantId, quota);
  return {
    quota,
    limit,
    isDefault,
    used: await findUse(tenantId, quota),
    unit: quotas[quota].unit,
  };
}

/** Every quota of a tenant, with its limit and use. */
export async function listQuotas(tenantId: string): Promise<Quota[]> {
  const found = await findLimitsAndUses(tenantId);
  return found.map(({ quota, max: limit, isDefault, used }) => ({
    ...{ quota, limit, isDefault, used },
    unit: quotas[quota].unit,
  }));
}

async function assertTenant(tenantId: string): Promise<void> {
  const found = await db()
    .select({ id: tenants.tenantId })
    .from(tenants)
    .where(eq(tenants.tenantId, tenantId));
  if (found.length === 0)
    throw new ApiError("tenant.not-found", `There is no tenant "${tenantId}".`);
}

/** Like `listQuotas`, for support. Throws 404. */
export async function listTenantQuotas(tenantId: string): Promise<Quota[]> {
  await assertTenant(tenantId);
  return listQuotas(tenantId);
}

/** Sets a limit. Existing items beyond the limit remain. The change is recorded in the tenant's audit trail. Throws 404. */
export async function setTenantQuota(
  caller: Caller,
  { id: tenantId, quota: named }: { id: string; quota: string },
  { limit: max }: z.output<typeof NewQuota>,
): Promise<Quota> {
  await assertTenant(tenantId);
  const quota = quotaNames.find((name) => name === named);
  if (!quota)
    throw new ApiError("quota.not-found", "There is no such quota.", quotaNames.join(","));
  await transaction(async (tx) => {
    const before = await findLimit(tx, tenantId, quota);
    await record(
      tx,
      { ...actingAs(caller), tenantId },
      {
        action: "tenant.quota-changed",
        target: { type: "tenant", id: tenantId, name: quota },
        changes: { limit: { before: before.isDefault ? null : before.max, after: max } },
      },
    );
    await tx
      .insert(tenantQuotas)
      .values({ tenantId, quota, max })
      .onConflictDoUpdate({
        target: [tenantQuotas.tenantId, tenantQuotas.quota],
        set: { max },
      });
  });
  return describeQuota(tenantId, quota);
}
