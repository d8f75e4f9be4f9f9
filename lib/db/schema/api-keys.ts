import { sql } from "drizzle-orm";
import { foreignKey, index, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytes, codePointText, instant } from "./columns";
import { users } from "./users";

export const apiKeys = pgTable(
  "api_keys",
  {
    tenantId: codePointText("tenant_id").notNull(),
    apiKeyId: codePointText("api_key_id").notNull(),
    userId: codePointText("user_id").notNull(),
    name: text("name").notNull(),
    nameKey: codePointText("name_key").notNull(),
    secretHash: bytes("secret_hash").notNull(),
    /** The last 4 characters of the secret, for people to tell keys apart. */
    hint: text("hint").notNull(),
    createdAt: instant("created_at").notNull(),
    validTo: instant("valid_to").notNull(),
    suspendedAt: instant("suspended_at"),
    revokedAt: instant("revoked_at"),
    lastUsedAt: instant("last_used_at"),
    lastUsedIp: text("last_used_ip"),
    lastUsedOperation: text("last_used_operation"),
  },
  (table) => [
    primaryKey({ name: "api_keys_pk", columns: [table.tenantId, table.apiKeyId] }),
    uniqueIndex("api_keys_secret_hash_unique").on(table.tenantId, table.secretHash),
    uniqueIndex("api_keys_name_unique").on(table.tenantId, table.userId, table.nameKey).where(sql`revoked_at is null`),
    index("api_keys_created_index").on(table.tenantId, table.userId, table.createdAt),
    foreignKey({
      name: "api_keys_user_fk",
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.userId],
    }).onDelete("cascade"),
  ],
);
