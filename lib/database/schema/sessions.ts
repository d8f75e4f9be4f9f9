import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytes, codePointText, instant, references } from "./columns";
import { users } from "./users";

export const sessions = pgTable(
  "sessions",
  {
    tenantId: codePointText("tenant_id").notNull(),
    /** The name of the session for people and audit entries; the secret itself is only stored as its SHA-256. */
    sessionRef: codePointText("session_ref").notNull(),
    secretHash: bytes("secret_hash").notNull(),
    userId: codePointText("user_id").notNull(),
    /** The site of the login, "" when none was named. */
    siteId: codePointText("site_id").notNull(),
    createdAt: instant("created_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    idleSeconds: integer("idle_seconds").notNull(),
    expiresAt: instant("expires_at").notNull(),
    address: text("address").notNull(),
    agent: text("agent").notNull(),
    /** The home row's credential epoch at the sign-in: the session is rejected once that one is higher. */
    credentialEpoch: integer("credential_epoch").notNull().default(0),
    /** When the password was checked; a switch keeps it. Null in sessions created before this column: createdAt then. */
    authenticatedAt: instant("authenticated_at"),
    /** How, as names separated by spaces: "password", "password totp". A switch keeps it. Null in sessions created before this column. */
    authenticatedBy: text("authenticated_by"),
    /** The connection that it was opened through: it ends with that. */
    connectionId: codePointText("connection_id"),
    /** Who the provider said it was: it ends where the provider signs that person out. */
    identityId: codePointText("identity_id"),
    /** SHA-256 of what the provider calls its own session (`sid`): it ends with that one. */
    providerSidHash: bytes("provider_sid_hash"),
    /** The session that a switch started from; null after a sign-in. */
    parentTenantId: codePointText("parent_tenant_id"),
    parentRef: codePointText("parent_ref"),
  },
  (table) => [
    primaryKey({ name: "sessions_pk", columns: [table.tenantId, table.sessionRef] }),
    uniqueIndex("sessions_secret_hash_unique").on(table.tenantId, table.secretHash),
    index("sessions_user_index").on(table.tenantId, table.userId, table.createdAt),
    index("sessions_provider_sid_index")
      .on(table.tenantId, table.providerSidHash)
      .where(sql`${table.providerSidHash} is not null`),
    references("sessions_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);

/** From where a login signed in lately, as keyed hashes: at most 20 networks each, for 90 days. */
export const knownNetworks = pgTable(
  "known_networks",
  {
    tenantId: codePointText("tenant_id").notNull(),
    /** Of the tenant, the plane and the login: there is none for a login that does not exist. */
    loginHash: bytes("login_hash").notNull(),
    networkHash: bytes("network_hash").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
  },
  (table) => [
    primaryKey({
      name: "known_networks_pk",
      columns: [table.tenantId, table.loginHash, table.networkHash],
    }),
    index("known_networks_seen_index").on(table.tenantId, table.lastSeenAt),
  ],
);
