import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { bytes, codePointText, instant, references } from "./columns";
import { connections } from "./connections";
import { users } from "./users";

const ofConnection = () => ({
  tenantId: codePointText("tenant_id").notNull(),
  connectionId: codePointText("connection_id").notNull(),
});

type Key = Record<"tenantId" | "connectionId", AnyPgColumn>;

const connectionKey = (name: string, table: Key) =>
  references(name, table, connections, "tenantId", "connectionId").onDelete("cascade");

/** With what an identity provider provisions people: the current token, and during a rotation the one before. */
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

/** What a provider said of a person that it provisions, besides what the user's row has. */
export const provisionedUsers = pgTable(
  "provisioned_users",
  {
    ...ofConnection(),
    userId: codePointText("user_id").notNull(),
    /** Whether the connection created the person, who did not link the provider to an account that was there. */
    isOwn: boolean("is_own").notNull(),
    /** What the provider calls the person; null where it did not say. */
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

/** A group that a provider provisions. Its name is what the lines of `connections.group_roles` name. */
export const provisionedGroups = pgTable(
  "provisioned_groups",
  {
    ...ofConnection(),
    groupId: codePointText("group_id").notNull(),
    name: codePointText("name").notNull(),
    /** The name in lower case: what makes it unique. */
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

/** Who is in a group. People whom the connection does not reach any more are not counted. */
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

/** The provisioning requests of a connection with their outcome. What they said of people is not kept. */
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
