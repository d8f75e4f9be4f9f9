import { boolean, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { codePointText, instant, references } from "./columns";
import { users } from "./users";

/** A named query of a portal page's address: one person's, or shared in the tenant. */
export const savedViews = pgTable(
  "saved_views",
  {
    tenantId: codePointText("tenant_id").notNull(),
    viewId: codePointText("view_id").notNull(),
    /** Who made it. */
    userId: codePointText("user_id").notNull(),
    page: codePointText("page").notNull(),
    name: text("name").notNull(),
    /** The query of the page's address. */
    query: text("query").notNull(),
    isShared: boolean("is_shared").notNull(),
    /** Whether it is shown as a chart on the home page of everybody who has it. */
    isOnHome: boolean("is_on_home").notNull().default(false),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "saved_views_pk", columns: [table.tenantId, table.viewId] }),
    index("saved_views_page_index").on(table.tenantId, table.page, table.viewId),
    index("saved_views_user_index").on(table.tenantId, table.userId, table.viewId),
    references("saved_views_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);

/** A person's default view of a page. */
export const defaultViews = pgTable(
  "default_views",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    page: codePointText("page").notNull(),
    viewId: codePointText("view_id").notNull(),
  },
  (table) => [
    primaryKey({ name: "default_views_pk", columns: [table.tenantId, table.userId, table.page] }),
    index("default_views_view_index").on(table.tenantId, table.viewId),
    references("default_views_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
    references("default_views_view_fk", table, savedViews, "tenantId", "viewId").onDelete(
      "cascade",
    ),
  ],
);
