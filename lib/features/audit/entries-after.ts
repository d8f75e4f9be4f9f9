import { and, asc, eq, gt } from "drizzle-orm";
import type { Executor } from "@/lib/database/open";
import { auditEvents } from "@/lib/database/schema/schema";
import type { AuditRow } from "./list";

interface Range {
  tenantId: string;
  /** The number of the entry before. */
  after: number;
  limit: number;
}

const isAfter = ({ tenantId, after }: Omit<Range, "limit">) =>
  and(eq(auditEvents.tenantId, tenantId), gt(auditEvents.seq, after));

/** The next entries in the order of the chain. */
export const entriesAfter = (on: Executor, { limit, ...range }: Range): Promise<AuditRow[]> =>
  on.select().from(auditEvents).where(isAfter(range)).orderBy(asc(auditEvents.seq)).limit(limit);

/** When the next entry was made; undefined when there is none. */
export async function timeOfEntryAfter(
  on: Executor,
  range: Omit<Range, "limit">,
): Promise<Date | undefined> {
  const [next] = await on
    .select({ at: auditEvents.occurredAt })
    .from(auditEvents)
    .where(isAfter(range))
    .orderBy(asc(auditEvents.seq))
    .limit(1);
  return next?.at;
}
