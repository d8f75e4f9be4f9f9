import { bigint, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { SecurityPolicy } from "@/lib/protocol/documents/security-policy";
import { bytes, codePointText, instant } from "./columns";

export const tenants = pgTable(
  "tenants",
  {
    tenantId: codePointText("tenant_id").notNull(),
    name: text("name").notNull(),
    kind: text("kind", { enum: ["platform", "production", "sandbox", "demo"] }).notNull(),
    createdAt: instant("created_at").notNull(),
    policy: jsonb("policy").$type<SecurityPolicy>().notNull(),
    /** The number of the newest audit entry, and its hash: the head of the tenant's chain. */
    auditSeq: bigint("audit_seq", { mode: "number" }).notNull(),
    auditHead: bytes("audit_head").notNull(),
    /** The newest entry's MAC and time. */
    auditMac: bytes("audit_mac"),
    auditAt: instant("audit_at"),
    /** No longer used: changed chains are detected by their heads. A later release drops it. */
    auditSignedSeq: bigint("audit_signed_seq", { mode: "number" }).notNull().default(0),
    /** Raised by every write that changes somebody's rights: credentials cached before that are dropped. */
    accessVersion: bigint("access_version", { mode: "number" }).notNull(),
    /** The number of the newest row of consumer_endings: raised when tokens of customers are revoked. */
    endingsSeq: integer("endings_seq").notNull().default(0),
    /** The number of the newest event about a customer: its position in the event feed. */
    eventSeq: bigint("event_seq", { mode: "number" }).notNull().default(0),
  },
  (table) => [primaryKey({ name: "tenants_pk", columns: [table.tenantId] })],
);

export const sites = pgTable(
  "sites",
  {
    tenantId: codePointText("tenant_id").notNull(),
    siteId: codePointText("site_id").notNull(),
    name: text("name").notNull(),
    createdAt: instant("created_at").notNull(),
    /** Origins of pages, such as https://shop.example, that may call the consumer interface of this site. */
    allowedOrigins: jsonb("allowed_origins").$type<string[]>().notNull().default([]),
    /** Language tags of the shop, the default one first. */
    locales: jsonb("locales").$type<string[]>().notNull().default([]),
    /** ISO 4217; empty if none is set. */
    currency: text("currency"),
  },
  (table) => [primaryKey({ name: "sites_pk", columns: [table.tenantId, table.siteId] })],
);

/** Quotas that support set for a tenant, and usage that is counted incrementally. No row: the default, not counted yet. */
export const tenantQuotas = pgTable(
  "tenant_quotas",
  {
    tenantId: codePointText("tenant_id").notNull(),
    /** A name of lib/features/quotas/values.ts. */
    quota: codePointText("quota").notNull(),
    /** Null: the default for tenants of this kind. */
    max: bigint("most", { mode: "number" }),
    /** The usage of quotas that would take long to count; null until the first use. */
    used: bigint("used", { mode: "number" }),
    countedAt: instant("counted_at"),
  },
  (table) => [primaryKey({ name: "tenant_quotas_pk", columns: [table.tenantId, table.quota] })],
);
