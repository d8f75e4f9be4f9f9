import { index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { codePointText, instant, references } from "./columns";
import { users } from "./users";

/** Roles that people requested: for each person, one row for each role and site. site_id is "" for the whole tenant. */
export const accessRequests = pgTable(
  "access_requests",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    siteId: codePointText("site_id").notNull(),
    roleId: codePointText("role_id").notNull(),
    /** A new one for each request. */
    requestId: codePointText("request_id").notNull(),
    reason: text("reason").notNull(),
    state: text("state", { enum: ["open", "granted", "declined"] }).notNull(),
    createdAt: instant("created_at").notNull(),
    decidedAt: instant("decided_at"),
  },
  (table) => [
    primaryKey({
      name: "access_requests_pk",
      columns: [table.tenantId, table.userId, table.siteId, table.roleId],
    }),
    uniqueIndex("access_requests_id_unique").on(table.tenantId, table.requestId),
    index("access_requests_state_index").on(table.tenantId, table.state, table.createdAt),
    references("access_requests_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);
