import { index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { apiKeys } from "./api-keys";
import { bytes, codePointText, instant, references } from "./columns";

/** One-time links that hand the secret of a key to somebody. The browser sealed it with a key that only the link holds. */
export const keyHandOffs = pgTable(
  "key_hand_offs",
  {
    tenantId: codePointText("tenant_id").notNull(),
    handOffId: codePointText("hand_off_id").notNull(),
    apiKeyId: codePointText("api_key_id").notNull(),
    /** SHA-256 of the token in the link. */
    tokenHash: bytes("token_hash").notNull(),
    /** The key's secret_hash when the link was created: after a rotation it is another one, and the link opens nothing. */
    secretHash: bytes("secret_hash").notNull(),
    /** The encrypted secret in base64url: initialization vector, ciphertext, tag. */
    sealed: text("sealed").notNull(),
    expiresAt: instant("expires_at").notNull(),
    createdAt: instant("created_at").notNull(),
    /** Its creator. */
    userId: codePointText("user_id").notNull(),
    /** The creator's credential epoch: once all their sessions are ended, the link opens nothing. */
    issuerEpoch: integer("issuer_epoch"),
  },
  (table) => [
    primaryKey({ name: "key_hand_offs_pk", columns: [table.tenantId, table.handOffId] }),
    uniqueIndex("key_hand_offs_hash_unique").on(table.tenantId, table.tokenHash),
    index("key_hand_offs_key_index").on(table.tenantId, table.apiKeyId),
    references("key_hand_offs_key_fk", table, apiKeys, "tenantId", "apiKeyId").onDelete("cascade"),
  ],
);
