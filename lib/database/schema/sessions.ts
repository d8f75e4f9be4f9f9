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
    /** The site of the sign-in, "" if there is none. */
    siteId: codePointText("site_id").notNull(),
    createdAt: instant("created_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    idleSeconds: integer("idle_seconds").notNull(),
    expiresAt: instant("expires_at").notNull(),
    address: text("address").notNull(),
    agent: text("agent").notNull(),
    /** The home row's credential epoch at the sign-in: the session is rejected once that one is higher. */
    credentialEpoch: integer("credential_epoch").notNull().default(0),
    /** When the password was checked; copied by a switch. Null in sessions from before this column: then createdAt applies. */
    authenticatedAt: instant("authenticated_at"),
    /** The methods, separated by spaces: "password", "password totp". A switch keeps it. Null in sessions created before this column. */
    authenticatedBy: text("authenticated_by"),
    /** The connection that it was opened through: the session ends with the connection. */
    connectionId: codePointText("connection_id"),
    /** The person's identity at the provider: the session ends when the provider signs that person out. */
    identityId: codePointText("identity_id"),
    /** SHA-256 of the provider's session id (`sid`): the session ends with that one. */
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

/** The networks from which a login signed in recently, as keyed hashes: at most 20 each, for 90 days. */
export const knownNetworks = pgTable(
  "known_networks",
  {
    tenantId: codePointText("tenant_id").notNull(),
    /** Hash of tenant, plane and login: there is no row for a login that does not exist. */
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
