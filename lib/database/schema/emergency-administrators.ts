import { pgTable, primaryKey } from "drizzle-orm/pg-core";
import { codePointText, instant, references } from "./columns";
import { users } from "./users";

/** The administrators who may always sign in with password and second factor, whatever the policy says. Rows of their home tenant. */
export const emergencyAdministrators = pgTable(
  "emergency_administrators",
  {
    tenantId: codePointText("tenant_id").notNull(),
    userId: codePointText("user_id").notNull(),
    createdAt: instant("created_at").notNull(),
    /** The last sign-in that only an emergency administrator could make. */
    lastUsedAt: instant("last_used_at"),
  },
  (table) => [
    primaryKey({
      name: "emergency_administrators_pk",
      columns: [table.tenantId, table.userId],
    }),
    references("emergency_administrators_user_fk", table, users, "tenantId", "userId").onDelete(
      "cascade",
    ),
  ],
);
