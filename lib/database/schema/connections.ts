import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
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
    /** Exactly as in the provider's metadata: an ID token must have the same text. */
    issuer: codePointText("issuer").notNull(),
    clientId: text("client_id").notNull(),
    /** Sealed under SECRET_KEY. */
    clientSecret: bytes("client_secret").notNull(),
    scopes: text("scopes").array().notNull(),
    /** The provider's claims with the login, the e-mail address and the name of a new user. */
    loginClaim: text("login_claim").notNull(),
    emailClaim: text("email_claim").notNull(),
    nameClaim: text("name_claim").notNull(),
    /** The claim with the person's groups; null if sign-ins do not transfer groups. */
    groupsClaim: text("groups_claim"),
    /** The roles that the members of each group have. */
    groupRoles: jsonb("group_roles").$type<GroupRoles[]>().notNull().default([]),
    /** The allowed e-mail domains of new users; an empty list allows any. */
    domains: text("domains").array().notNull(),
    provisioning: text("provisioning", { enum: ["linked-only", "on-first-sign-in"] }).notNull(),
    isEnabled: boolean("is_enabled").notNull(),
    /** Whether the provider supports sign-out, as of the newest sign-in. */
    offersSignOut: boolean("offers_sign_out").notNull().default(false),
    /** The claim of an ID token with the externalId by which the provider provisions people. */
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

/** The identity of a person at a provider: the issuer's subject, never an e-mail address. Rows of the person's home tenant. */
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
    /** The groups of the last sign-in; null if the connection has no claim for them. */
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

/** The nonces of accepted ID tokens: each is valid once, across all processes. */
export const usedNonces = pgTable(
  "used_nonces",
  {
    tenantId: codePointText("tenant_id").notNull(),
    nonceHash: bytes("nonce_hash").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [primaryKey({ name: "used_nonces_pk", columns: [table.tenantId, table.nonceHash] })],
);

const ofConnection = () => ({
  tenantId: codePointText("tenant_id").notNull(),
  connectionId: codePointText("connection_id").notNull(),
});

type Key = Record<"tenantId" | "connectionId", AnyPgColumn>;

const connectionKey = (name: string, table: Key) =>
  references(name, table, connections, "tenantId", "connectionId").onDelete("cascade");

/** Tokens with which an identity provider provisions people: the current one, and during a rotation the previous one. */
export const provisioningTokens = pgTable(
  "provisioning_tokens",
  {
    ...ofConnection(),
    tokenHash: bytes("token_hash").notNull(),
    createdAt: instant("created_at").notNull(),
    /** Null for the current one. */
    validTo: instant("valid_to"),
  },
  (table) => [
    primaryKey({
      name: "provisioning_tokens_pk",
      columns: [table.tenantId, table.connectionId, table.tokenHash],
    }),
    connectionKey("provisioning_tokens_connection_fk", table),
  ],
);

/** A provider's data about a person that it provisions, in addition to the user's row. */
export const provisionedUsers = pgTable(
  "provisioned_users",
  {
    ...ofConnection(),
    userId: codePointText("user_id").notNull(),
    /** Whether the connection created the person; false if an existing account was linked to the provider. */
    isOwn: boolean("is_own").notNull(),
    /** The provider's id of the person; null if it did not send one. */
    externalId: codePointText("external_id"),
    givenName: text("given_name"),
    familyName: text("family_name"),
    changedAt: instant("changed_at").notNull(),
    /** Set once the provider deleted the person: hidden from it until it creates the person again. */
    deletedAt: instant("deleted_at"),
  },
  (table) => [
    primaryKey({
      name: "provisioned_users_pk",
      columns: [table.tenantId, table.connectionId, table.userId],
    }),
    uniqueIndex("provisioned_users_external_unique").on(
      table.tenantId,
      table.connectionId,
      table.externalId,
    ),
    index("provisioned_users_user_index").on(table.tenantId, table.userId),
    connectionKey("provisioned_users_connection_fk", table),
    references("provisioned_users_user_fk", table, users, "tenantId", "userId").onDelete("cascade"),
  ],
);

/** A group that a provider provisions. `connections.group_roles` refers to it by its name. */
export const provisionedGroups = pgTable(
  "provisioned_groups",
  {
    ...ofConnection(),
    groupId: codePointText("group_id").notNull(),
    name: codePointText("name").notNull(),
    /** The name in lower case, which is unique. */
    nameKey: codePointText("name_key").notNull(),
    externalId: codePointText("external_id"),
    createdAt: instant("created_at").notNull(),
    changedAt: instant("changed_at").notNull(),
  },
  (table) => [
    primaryKey({
      name: "provisioned_groups_pk",
      columns: [table.tenantId, table.connectionId, table.groupId],
    }),
    uniqueIndex("provisioned_groups_name_unique").on(
      table.tenantId,
      table.connectionId,
      table.nameKey,
    ),
    uniqueIndex("provisioned_groups_external_unique").on(
      table.tenantId,
      table.connectionId,
      table.externalId,
    ),
    connectionKey("provisioned_groups_connection_fk", table),
  ],
);

/** The members of a group. People who no longer belong to the connection are not counted. */
export const provisionedGroupMembers = pgTable(
  "provisioned_group_members",
  {
    ...ofConnection(),
    groupId: codePointText("group_id").notNull(),
    userId: codePointText("user_id").notNull(),
  },
  (table) => [
    primaryKey({
      name: "provisioned_group_members_pk",
      columns: [table.tenantId, table.connectionId, table.groupId, table.userId],
    }),
    index("provisioned_group_members_user_index").on(table.tenantId, table.userId),
    references(
      "provisioned_group_members_group_fk",
      table,
      provisionedGroups,
      "tenantId",
      "connectionId",
      "groupId",
    ).onDelete("cascade"),
    references("provisioned_group_members_user_fk", table, users, "tenantId", "userId").onDelete(
      "cascade",
    ),
  ],
);

/** The provisioning requests of a connection with their outcome. Their data about people is not stored. */
export const provisioningRequests = pgTable(
  "provisioning_requests",
  {
    ...ofConnection(),
    entryId: codePointText("entry_id").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    requestId: text("request_id").notNull(),
    method: text("method").notNull(),
    /** Below the connection's address, without the query. */
    path: text("path").notNull(),
    status: integer("status").notNull(),
    scimType: text("scim_type"),
    detail: text("detail"),
    durationMs: integer("duration_ms").notNull(),
  },
  (table) => [
    primaryKey({
      name: "provisioning_requests_pk",
      columns: [table.tenantId, table.connectionId, table.entryId],
    }),
    connectionKey("provisioning_requests_connection_fk", table),
  ],
);
