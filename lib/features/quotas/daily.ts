import { sql } from "drizzle-orm";
import { db } from "@/lib/database/open";
import { tenantQuotas } from "@/lib/database/schema/schema";
import { ApiError } from "@/lib/protocol/errors";
import { countUse, findLimit, startOfDay } from "./quotas";
import { type QuotaName, quotas } from "./values";

const dayMs = 24 * 3600 * 1000;

/** Throws 429 if this many more exceed the daily quota. Concurrent callers may together exceed it. */
export async function assertRoomToday(
  tenantId: string,
  quota: Extract<QuotaName, "metric-cells">,
  amount: number,
): Promise<void> {
  const { max } = await findLimit(db(), tenantId, quota);
  if ((await countUse(db(), tenantId, quota)) + amount <= max) return;
  const tomorrow = startOfDay(new Date()).getTime() + dayMs;
  throw new ApiError(
    "quota.exceeded",
    `${quotas[quota].label}: the tenant's limit is ${max}. Send the rest tomorrow (UTC), or ask support for a higher limit.`,
    quota,
    { headers: { "Retry-After": String(Math.ceil((tomorrow - Date.now()) / 1000)) } },
  );
}

/** Adds to the use of the daily quota; a new day starts at 0. */
export async function countToday(
  tenantId: string,
  quota: Extract<QuotaName, "metric-cells">,
  amount: number,
): Promise<void> {
  const countedAt = startOfDay(new Date());
  const today = countedAt.toISOString();
  await db()
    .insert(tenantQuotas)
    .values({ tenantId, quota, used: amount, countedAt })
    .onConflictDoUpdate({
      target: [tenantQuotas.tenantId, tenantQuotas.quota],
      set: {
        countedAt,
        used: sql`case when ${tenantQuotas.countedAt} >= ${today}::timestamptz then ${tenantQuotas.used} else 0 end + ${amount}`,
      },
    });
}
