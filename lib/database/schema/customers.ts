import { sql } from "drizzle-orm";
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { CustomerDetails } from "@/lib/protocol/documents/customer-profile";
import { bytes, codePointText, instant, references } from "./columns";
import { sites, tenants } from "./tenants";

/** A shopper of a tenant. */
export const customers = pgTable(
  "customers",
  {
    tenantId: codePointText("tenant_id").notNull(),
    customerId: codePointText("customer_id").notNull(),
    login: text("login").notNull(),
    /** The login in lower case, which is unique in the tenant. */
    loginKey: codePointText("login_key").notNull(),
    passwordHash: text("password_hash").notNull(),
    registeredAt: instant("registered_at").notNull(),
    lockedAt: instant("locked_at"),
    lockReason: text("lock_reason"),
    lockedUntil: instant("locked_until"),
    lastLoginAt: instant("last_login_at"),
    /** Raised by every change of the profile's representation: the entity tag is derived from it. */
    revision: integer("revision").notNull(),
    details: jsonb("details").$type<CustomerDetails>().notNull(),
    /** Raised by every change of lock, password or e-mail addresses: earlier password tokens are then void. */
    credentialEpoch: integer("credential_epoch").notNull().default(0),
  },
  (table) => [
    primaryKey({ name: "customers_pk", columns: [table.tenantId, table.customerId] }),
    uniqueIndex("customers_login_key_unique").on(table.tenantId, table.loginKey),
    index("customers_locked_index")
      .on(table.tenantId, table.customerId)
      .where(sql`${table.lockedAt} is not null`),
    references("customers_tenant_fk", table, tenants, "tenantId"),
  ],
);

/** The sites a customer belongs to; ids sort by time, so a site's newest customers are at the end of its part of the key. */
export const customerSites = pgTable(
  "customer_sites",
  {
    tenantId: codePointText("tenant_id").notNull(),
    siteId: codePointText("site_id").notNull(),
    customerId: codePointText("customer_id").notNull(),
  },
  (table) => [
    primaryKey({
      name: "customer_sites_pk",
      columns: [table.tenantId, table.siteId, table.customerId],
    }),
    index("customer_sites_customer_index").on(table.tenantId, table.customerId, table.siteId),
    references("customer_sites_customer_fk", table, customers, "tenantId", "customerId").onDelete(
      "cascade",
    ),
    references("customer_sites_site_fk", table, sites, "tenantId", "siteId"),
  ],
);

/** Every e-mail address of a profile in lower case, by which staff can find the customer. */
export const customerEmails = pgTable(
  "customer_emails",
  {
    tenantId: codePointText("tenant_id").notNull(),
    emailKey: codePointText("email_key").notNull(),
    customerId: codePointText("customer_id").notNull(),
  },
  (table) => [
    primaryKey({
      name: "customer_emails_pk",
      columns: [table.tenantId, table.emailKey, table.customerId],
    }),
    index("customer_emails_customer_index").on(table.tenantId, table.customerId),
    references("customer_emails_customer_fk", table, customers, "tenantId", "customerId").onDelete(
      "cascade",
    ),
  ],
);

/** A sign-in and its series of refresh tokens, one of which is valid at a time. Kept for 30 days after its end. */
export const customerFamilies = pgTable(
  "customer_families",
  {
    tenantId: codePointText("tenant_id").notNull(),
    familyRef: codePointText("family_ref").notNull(),
    customerId: codePointText("customer_id").notNull(),
    siteId: codePointText("site_id").notNull(),
    anonymousId: text("anonymous_id").notNull(),
    /** Counts rotations; only the token of this generation may rotate. */
    generation: integer("generation").notNull(),
    /** Makes a family's tokens unique; it is useless without the service's own key. */
    nonce: bytes("nonce").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    /** When the last generations were replaced, newest last, in milliseconds: their tokens may be retried for a short time. */
    rotations: jsonb("rotations").$type<number[]>().notNull(),
    createdAt: instant("created_at").notNull(),
    rotatedAt: instant("rotated_at").notNull(),
    idleExpiresAt: instant("idle_expires_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    endedAt: instant("ended_at"),
    endReason: text("end_reason", { enum: ["logout", "reuse", "password", "staff"] }),
    address: text("address").notNull(),
    agent: text("agent").notNull(),
  },
  (table) => [
    primaryKey({ name: "customer_families_pk", columns: [table.tenantId, table.familyRef] }),
    index("customer_families_customer_index").on(table.tenantId, table.customerId, table.createdAt),
    references(
      "customer_families_customer_fk",
      table,
      customers,
      "tenantId",
      "customerId",
    ).onDelete("cascade"),
  ],
);

/**
 * Revocations of access tokens that have not expired, numbered by the tenant's endings_seq. Every process caches the rows
 * whose tokens may still be unexpired, so that it can check a token without the store.
 */
export const consumerEndings = pgTable(
  "consumer_endings",
  {
    tenantId: codePointText("tenant_id").notNull(),
    seq: integer("seq").notNull(),
    /** The id of a family or a customer. */
    subject: codePointText("subject").notNull(),
    effect: text("effect", { enum: ["ended", "locked", "unlocked"] }).notNull(),
    lockedUntil: instant("locked_until"),
    /** When the last token that it revokes has expired. */
    keptUntil: instant("kept_until").notNull(),
  },
  (table) => [
    primaryKey({
      name: "consumer_endings_pk",
      columns: [table.tenantId, table.seq, table.subject],
    }),
    index("consumer_endings_kept_index").on(table.tenantId, table.keptUntil),
    references("consumer_endings_tenant_fk", table, tenants, "tenantId"),
  ],
);

/** The actions of customers on their own accounts; deleted with the customer. */
export const customerActivity = pgTable(
  "customer_activity",
  {
    tenantId: codePointText("tenant_id").notNull(),
    activityId: codePointText("activity_id").notNull(),
    customerId: codePointText("customer_id").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    action: codePointText("action").notNull(),
    siteId: codePointText("site_id").notNull(),
    /** Names of the profile's changed fields; never values. */
    fields: jsonb("fields").$type<string[]>().notNull(),
    requestId: text("request_id").notNull(),
    address: text("address").notNull(),
    agent: text("agent").notNull(),
    /** For an event: the newest audit entry before it, and its own number. Both are empty for other activity. */
    auditSeq: bigint("audit_seq", { mode: "number" }),
    eventSeq: bigint("event_seq", { mode: "number" }),
  },
  (table) => [
    primaryKey({ name: "customer_activity_pk", columns: [table.tenantId, table.activityId] }),
    index("customer_activity_customer_index").on(
      table.tenantId,
      table.customerId,
      table.activityId,
    ),
    index("customer_activity_events_index")
      .on(table.tenantId, table.auditSeq, table.eventSeq)
      .where(sql`event_seq is not null`),
    index("customer_activity_action_index")
      .on(table.tenantId, table.action, table.auditSeq, table.eventSeq)
      .where(sql`event_seq is not null`),
    index("customer_activity_site_index")
      .on(table.tenantId, table.siteId, table.action, table.auditSeq, table.eventSeq)
      .where(sql`event_seq is not null`),
    references(
      "customer_activity_customer_fk",
      table,
      customers,
      "tenantId",
      "customerId",
    ).onDelete("cascade"),
  ],
);

/**
 * A token by which a customer may set a new password once; only the newest one is valid. Stores its issuer, whose rights are
 * checked again at redemption, and the customer's credential epoch at issue. Rows without an issuer are void.
 */
export const customerPasswordTokens = pgTable(
  "customer_password_tokens",
  {
    tenantId: codePointText("tenant_id").notNull(),
    customerId: codePointText("customer_id").notNull(),
    tokenHash: bytes("token_hash").notNull(),
    expiresAt: instant("expires_at").notNull(),
    issuerUserId: codePointText("issuer_user_id"),
    /** Set when an API key created the token. */
    issuerKeyId: codePointText("issuer_key_id"),
    /** The credential epoch of the session that created it; null for an API key. */
    issuerEpoch: integer("issuer_epoch"),
    customerEpoch: integer("customer_epoch").notNull().default(0),
  },
  (table) => [
    primaryKey({
      name: "customer_password_tokens_pk",
      columns: [table.tenantId, table.customerId],
    }),
    uniqueIndex("customer_password_tokens_hash_unique").on(table.tenantId, table.tokenHash),
    references(
      "customer_password_tokens_customer_fk",
      table,
      customers,
      "tenantId",
      "customerId",
    ).onDelete("cascade"),
  ],
);
