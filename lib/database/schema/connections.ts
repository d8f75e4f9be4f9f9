import { boolean, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { GroupRoles } from "@/lib/protocol/documents/group-roles";
import { bytes, codePointText, instant, references } from "./columns";
import { tenants } from "./tenants";
import { users } from "./users";

/** The identity providers at which people of a tenant sign in. */
export const connections = pgTable(
  "connections",
  {
    tenantId: codePointText("tenant_id").notNull(),
    connectionId: codePointText("connection_id").notNull(),
    name: text("name").notNull(),
    /** Exactly as the provider writes it: an ID token has to name the same text. */
    issuer: codePointText("issuer").notNull(),
    clientId: text("client_id").notNull(),
    /** Sealed under SECRET_KEY. */
    clientSecret: bytes("client_secret").notNull(),
    scopes: text("scopes").array().notNull(),
    /** Which claims of the provider say the login, the e-mail address and the name of somebody new. */
    loginClaim: text("login_claim").notNull(),
    emailClaim: text("email_claim").notNull(),
    nameClaim: text("name_claim").notNull(),
    /** Which claim names the person's groups; null where a sign-in says nothing of them. */
    groupsClaim: text("groups_claim"),
    /** Which roles the members of a group have. */
    groupRoles: jsonb("group_roles").$type<GroupRoles[]>().notNull().default([]),
    /** E-mail domains that new people may have; an empty list allows any. */
    domains: text("domains").array().notNull(),
    provisioning: text("provisioning", { enum: ["linked-only", "on-first-sign-in"] }).notNull(),
    isEnabled: boolean("is_enabled").notNull(),
    /** Whether the provider offers to sign out there too, as of the newest sign-in. */
    offersSignOut: boolean("offers_sign_out").notNull().default(false),
    /** Which claim of an ID token says the externalId by which the provider provisions people. */
    externalIdClaim: text("external_id_claim", { enum: ["none", "sub", "oid"] })
      .notNull()
      .default("none"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "connections_pk", columns: [table.tenantId, table.connectionId] }),
    references("connections_tenant_fk", table, tenants, "tenantId"),
  ],
);

/** Who a person is at a provider: the subject that the issuer names, never an e-mail address. Rows of the person's home tenant. */
export const identities = pgTable(
  "identities",
  {
    tenantId: codePointText("tenant_id").notNull(),
    identityId: codePointText("identity_id").notNull(),
    connectionId: codePointText("connection_id").notNull(),
    issuer: codePointText("issuer").notNull(),
    subject: codePointText("subject").notNull(),
    userId: codePointText("user_id").notNull(),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at"),
    /** The groups that the last sign-in named; null where it named none because the connection has no claim for them. */
    groups: text("groups").array(),
  },
  (table) => [
    primaryKey({ name: "identities_pk", columns: [table.tenantId, table.identityId] }),
    uniqueIndex("identities_subject_unique").on(
      table.tenantId,
      table.connectionId,
      table.issuer,
      table.subject,
    ),
    index("identities_user_index").on(table.tenantId, table.userId),
    references("identities_connection_fk", table, connections, "tenantId", "connectionId").onDelete(
      "cascade",
    ),
    references("identities_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);

/** The nonces of ID tokens that were accepted: each counts once, over all processes. */
export const usedNonces = pgTable(
  "used_nonces",
  {
    tenantId: codePointText("tenant_id").notNull(),
    nonceHash: bytes("nonce_hash").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [primaryKey({ name: "used_nonces_pk", columns: [table.tenantId, table.nonceHash] })],
);
