import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { codePointText, instant, references } from "./columns";
import { tenants } from "./tenants";

/** What the charts of metrics are marked with, as programs and people reported it: a deploy, a campaign, an outage elsewhere. */
export const chartMarkers = pgTable(
  "chart_markers",
  {
    tenantId: codePointText("tenant_id").notNull(),
    markerId: codePointText("marker_id").notNull(),
    /** When it happened, which is not when it was reported. */
    at: instant("at").notNull(),
    /** When it was over; empty for what happened at once. */
    until: instant("until"),
    title: text("title").notNull(),
    kind: codePointText("kind").notNull(),
    url: text("url"),
    /** Who reported it; empty for what was reported before this was kept, and in place of who was erased. */
    userId: codePointText("user_id"),
    login: codePointText("login"),
  },
  (table) => [
    primaryKey({ name: "chart_markers_pk", columns: [table.tenantId, table.markerId] }),
    index("chart_markers_at_index").on(table.tenantId, table.at, table.markerId),
    references("chart_markers_tenant_fk", table, tenants, "tenantId"),
  ],
);
