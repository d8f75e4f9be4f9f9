import { and, desc, eq, gt, inArray, isNull, lt } from "drizzle-orm";
import { db, type Executor } from "@/lib/database/open";
import { customerActivity, customerFamilies as families } from "@/lib/database/schema/schema";
import type { CustomerActivity, CustomerSession } from "./contract";

interface ActivityScope {
  tenantId: string;
  customerId: string;
  /** Only activity at these sites. */
  atSites?: string[];
}

const maxSessions = 100;

/** The customer's sign-ins that can still be refreshed, newest first. */
export async function listSignIns(
  { tenantId, customerId, atSites }: ActivityScope,
  on: Executor = db(),
): Promise<CustomerSession[]> {
  const now = new Date();
  const rows = await on
    .select({
      ref: families.familyRef,
      siteId: families.siteId,
      createdAt: families.createdAt,
      lastSeenAt: families.rotatedAt,
      expiresAt: families.idleExpiresAt,
      address: families.address,
      agent: families.agent,
    })
    .from(families)
    .where(
      and(
        eq(families.tenantId, tenantId),
        eq(families.customerId, customerId),
        isNull(families.endedAt),
        gt(families.idleExpiresAt, now),
        gt(families.expiresAt, now),
        atSites && inArray(families.siteId, atSites),
      ),
    )
    .orderBy(desc(families.createdAt), desc(families.familyRef))
    .limit(maxSessions);
  return rows.map(({ createdAt, lastSeenAt, expiresAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }));
}

/** The customer's activity, newest first, and the id before which the next page starts. */
export async function listActivity(
  { tenantId, customerId, atSites }: ActivityScope,
  limit: number,
  { before, on = db() }: { before?: string | undefined; on?: Executor } = {},
) {
  const rows = await on
    .select({
      id: customerActivity.activityId,
      occurredAt: customerActivity.occurredAt,
      action: customerActivity.action,
      siteId: customerActivity.siteId,
      fields: customerActivity.fields,
      address: customerActivity.address,
      agent: customerActivity.agent,
    })
    .from(customerActivity)
    .where(
      and(
        eq(customerActivity.tenantId, tenantId),
        eq(customerActivity.customerId, customerId),
        before === undefined ? undefined : lt(customerActivity.activityId, before),
        atSites && inArray(customerActivity.siteId, atSites),
      ),
    )
    .orderBy(desc(customerActivity.activityId))
    .limit(limit);
  const items: CustomerActivity[] = rows.map(({ id: _, occurredAt, ...row }) => ({
    ...row,
    occurredAt: occurredAt.toISOString(),
  }));
  return { items, next: rows.length === limit ? rows.at(-1)?.id : undefined };
}
