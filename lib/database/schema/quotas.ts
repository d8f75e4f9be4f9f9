import { bigint, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { codePointText, instant } from "./columns";

/** What support set for a tenant, and what is counted as it is used. No row: the default, and not counted yet. */
export const tenantQuotas = pgTable(
  "tenant_quotas",
  {
    tenantId: codePointText("tenant_id").notNull(),
    /** A name of lib/features/quotas/values.ts. */
    quota: codePointText("quota").notNull(),
    /** Null: the default for tenants of this kind. */
    max: bigint("most", { mode: "number" }),
    /** Of quotas that would take long to count; null until somebody uses one. */
    used: bigint("used", { mode: "number" }),
    countedAt: instant("counted_at"),
  },
  (table) => [primaryKey({ name: "tenant_quotas_pk", columns: [table.tenantId, table.quota] })],
);
