import { and, eq, lt } from "drizzle-orm";
import { db } from "@/lib/database/open";
import {
  customerActivity as activity,
  customerFamilies as families,
  customerPasswordTokens as tokens,
} from "@/lib/database/schema/schema";

const dayMilliseconds = 86_400_000;
/** How long a sign-in or password token past its end is still told apart from an unknown one. */
export const keptMilliseconds = 30 * dayMilliseconds;
export const activityKeptMilliseconds = 400 * dayMilliseconds;

/** Forgets the tenant's sign-ins that ended more than 30 days ago; called by the hourly cleaning. */
export async function forgetOldFamilies(tenantId: string): Promise<void> {
  const before = new Date(Date.now() - keptMilliseconds);
  await db()
    .delete(families)
    .where(and(eq(families.tenantId, tenantId), lt(families.idleExpiresAt, before)));
}

/** Forgets the tenant's password tokens that ended more than 30 days ago. */
export async function forgetOldPasswordTokens(tenantId: string): Promise<void> {
  const before = new Date(Date.now() - keptMilliseconds);
  await db()
    .delete(tokens)
    .where(and(eq(tokens.tenantId, tenantId), lt(tokens.expiresAt, before)));
}

/** Forgets what customers of the tenant did more than 400 days ago. */
export async function forgetOldActivity(tenantId: string): Promise<void> {
  const before = new Date(Date.now() - activityKeptMilliseconds);
  await db()
    .delete(activity)
    .where(and(eq(activity.tenantId, tenantId), lt(activity.occurredAt, before)));
}
