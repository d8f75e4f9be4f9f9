import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { Permission } from "@/lib/protocol/permissions";
import { bytes, codePointText, instant, references } from "./columns";
import { users } from "./users";

/** One-time links that pass the secret of a key to another person. The browser encrypted it with a key that only the link contains. */
export const keyHandOffs = pgTable(
  "key_hand_offs",
  {
    tenantId: codePointText("tenant_id").notNull(),
    handOffId: codePointText("hand_off_id").notNull(),
    apiKeyId: codePointText("api_key_id").notNull(),
    /** SHA-256 of the token in the link. */
    tokenHash: bytes("token_hash").notNull(),
    /** The key's secret_hash when the link was created: it differs after a rotation, and the link is then void. */
    secretHash: bytes("secret_hash").notNull(),
    /** The encrypted secret in base64url: initialization vector, ciphertext, tag. */
    sealed: text("sealed").notNull(),
    expiresAt: instant("expires_at").notNull(),
    createdAt: instant("created_at").notNull(),
    /** Its creator. */
    userId: codePointText("user_id").notNull(),
    /** The creator's credential epoch: once all their sessions are ended, the link is void. */
    issuerEpoch: integer("issuer_epoch"),
  },
  (table) => [
    primaryKey({ name: "key_hand_offs_pk", columns: [table.tenantId, table.handOffId] }),
    uniqueIndex("key_hand_offs_hash_unique").on(table.tenantId, table.tokenHash),
    index("key_hand_offs_key_index").on(table.tenantId, table.apiKeyId),
    references("key_hand_offs_key_fk", table, apiKeys, "tenantId", "apiKeyId").onDelete("cascade"),
  ],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    tenantId: codePointText("tenant_id").notNull(),
    apiKeyId: codePointText("api_key_id").notNull(),
    userId: codePointText("user_id").notNull(),
    name: text("name").notNull(),
    nameKey: codePointText("name_key").notNull(),
    secretHash: bytes("secret_hash").notNull(),
    /** The last 4 characters of the secret, for people to distinguish keys. */
    hint: text("hint").notNull(),
    createdAt: instant("created_at").notNull(),
    validTo: instant("valid_to").notNull(),
    /** The secret before the last rotation works until previousValidTo; both are empty if there is none. */
    previousHash: bytes("previous_hash"),
    previousValidTo: instant("previous_valid_to"),
    suspendedAt: instant("suspended_at"),
    /** Set if the secret leaked: the key can only be resumed with a new one. */
    mustRotate: boolean("must_rotate").notNull().default(false),
    /** Set if the key was transferred to a person who has not rotated it yet: nobody knows its secret, and it is suspended until then. */
    awaitsRotation: boolean("awaits_rotation").notNull().default(false),
    /** The restriction of the key to some of its owner's permissions and sites; empty if unrestricted. */
    permissions: jsonb("permissions").$type<Permission[]>(),
    siteIds: jsonb("site_ids").$type<string[]>(),
    /** The people who were shown a secret of a service user's key that still works; null for a person's own key. */
    knownTo: jsonb("known_to").$type<string[]>(),
    /** The number of requests in each window; both are empty if the key has no own limit. */
    rateLimit: integer("rate_limit"),
    rateWindowSeconds: integer("rate_window_seconds"),
    /** The newest window, counted from 1970, and how much of it processes have taken (lib/access/key-rates.ts). */
    rateWindow: bigint("rate_window", { mode: "number" }),
    rateTaken: integer("rate_taken"),
    /** The ranges, such as 10.0.0.0/8, from which the key may be used; empty if from any. */
    allowedAddresses: jsonb("allowed_addresses").$type<string[]>(),
    revokedAt: instant("revoked_at"),
    lastUsedAt: instant("last_used_at"),
    lastUsedIp: text("last_used_ip"),
    lastUsedOperation: text("last_used_operation"),
  },
  (table) => [
    primaryKey({ name: "api_keys_pk", columns: [table.tenantId, table.apiKeyId] }),
    uniqueIndex("api_keys_secret_hash_unique").on(table.tenantId, table.secretHash),
    uniqueIndex("api_keys_previous_hash_unique").on(table.tenantId, table.previousHash),
    // A leak report does not name the tenant: these two indexes find the key in any tenant.
    index("api_keys_leaked_hash_index").on(table.secretHash),
    index("api_keys_leaked_previous_index").on(table.previousHash),
    index("api_keys_tenant_created_index").on(table.tenantId, table.createdAt, table.apiKeyId),
    uniqueIndex("api_keys_name_unique")
      .on(table.tenantId, table.userId, table.nameKey)
      .where(sql`revoked_at is null`),
    index("api_keys_created_index").on(table.tenantId, table.userId, table.createdAt),
    references("api_keys_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);

/** Callers that still use the secret from before the last rotation: kept until it is retired. */
export const previousSecretUses = pgTable(
  "previous_secret_uses",
  {
    tenantId: codePointText("tenant_id").notNull(),
    apiKeyId: codePointText("api_key_id").notNull(),
    address: codePointText("address").notNull(),
    agent: codePointText("agent").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
  },
  (table) => [
    primaryKey({
      name: "previous_secret_uses_pk",
      columns: [table.tenantId, table.apiKeyId, table.address, table.agent],
    }),
    references("previous_secret_uses_key_fk", table, apiKeys, "tenantId", "apiKeyId").onDelete(
      "cascade",
    ),
  ],
);
