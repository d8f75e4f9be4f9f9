import { sql } from "drizzle-orm";
import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type {
  DeliveryAttempt,
  StreamAttempt,
  StreamGap,
  StreamSettings,
} from "@/lib/protocol/documents/delivery";
import { bytes, codePointText, instant, references } from "./columns";
import { tenants } from "./tenants";

/** Where events are sent, and the progress of the delivery. */
export const webhooks = pgTable(
  "webhooks",
  {
    tenantId: codePointText("tenant_id").notNull(),
    webhookId: codePointText("webhook_id").notNull(),
    url: text("url").notNull(),
    /** Patterns such as user.*. */
    types: jsonb("types").$type<string[]>().notNull(),
    /** Only events about this site; empty for all. */
    siteId: text("site_id"),
    description: text("description").notNull(),
    /** Sealed under the service's secret key, as is the previous secret. */
    secret: bytes("secret").notNull(),
    previousSecret: bytes("previous_secret"),
    previousValidTo: instant("previous_valid_to"),
    createdAt: instant("created_at").notNull(),
    disabledAt: instant("disabled_at"),
    disabledReason: text("disabled_reason", { enum: ["by-user", "failing", "gone"] }),
    /** The position in the feed of events up to which every event was delivered or has a row in webhook_deliveries. */
    auditSeq: bigint("audit_seq", { mode: "number" }).notNull(),
    eventSeq: bigint("event_seq", { mode: "number" }).notNull(),
    /** When a delivery is next retried; empty if none waits. */
    dueAt: instant("due_at"),
    /** When the first attempt since the last success failed, and how many have failed since then. */
    failingSince: instant("failing_since"),
    failures: integer("failures").notNull().default(0),
    /** The process that delivers, and a counter that it increments while it does. */
    leaseHolder: text("lease_holder"),
    leaseBeat: bigint("lease_beat", { mode: "number" }).notNull().default(0),
  },
  (table) => [
    primaryKey({ name: "webhooks_pk", columns: [table.tenantId, table.webhookId] }),
    references("webhooks_tenant_fk", table, tenants, "tenantId"),
  ],
);

/** An event for one endpoint: the request, and the result of each attempt. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    tenantId: codePointText("tenant_id").notNull(),
    webhookId: codePointText("webhook_id").notNull(),
    eventId: codePointText("event_id").notNull(),
    auditSeq: bigint("audit_seq", { mode: "number" }).notNull(),
    eventSeq: bigint("event_seq", { mode: "number" }).notNull(),
    type: codePointText("type").notNull(),
    subject: codePointText("subject").notNull(),
    body: text("body").notNull(),
    state: text("state", { enum: ["pending", "delivered", "failed"] }).notNull(),
    createdAt: instant("created_at").notNull(),
    /** When a pending one is next tried; empty while an earlier event of its subject waits. */
    dueAt: instant("due_at"),
    /** Attempts since it was last made pending. */
    attempts: integer("attempts").notNull(),
    /** The newest attempts, oldest first. */
    log: jsonb("log").$type<DeliveryAttempt[]>().notNull(),
  },
  (table) => [
    primaryKey({
      name: "webhook_deliveries_pk",
      columns: [table.tenantId, table.webhookId, table.eventId],
    }),
    index("webhook_deliveries_due_index")
      .on(table.tenantId, table.webhookId, table.dueAt)
      .where(sql`due_at is not null`),
    index("webhook_deliveries_pending_index")
      .on(table.tenantId, table.webhookId, table.subject)
      .where(sql`state = 'pending'`),
    references("webhook_deliveries_webhook_fk", table, webhooks, "tenantId", "webhookId").onDelete(
      "cascade",
    ),
  ],
);

/** Where the tenant's audit entries are sent, and the progress of the delivery. */
export const auditStreams = pgTable(
  "audit_streams",
  {
    tenantId: codePointText("tenant_id").notNull(),
    streamId: codePointText("stream_id").notNull(),
    settings: jsonb("settings").$type<StreamSettings>().notNull(),
    description: text("description").notNull(),
    /** JSON, sealed under the service's secret key. */
    secrets: bytes("secrets").notNull(),
    createdAt: instant("created_at").notNull(),
    disabledAt: instant("disabled_at"),
    disabledReason: text("disabled_reason", { enum: ["by-user", "failing", "gone"] }),
    /** The number of the last entry that was delivered, or was deleted before it was. */
    auditSeq: bigint("audit_seq", { mode: "number" }).notNull(),
    deliveredAt: instant("delivered_at"),
    gap: jsonb("gap").$type<StreamGap>(),
    /** The newest attempts, oldest first. */
    log: jsonb("log").$type<StreamAttempt[]>().notNull(),
    /** Nothing is sent before this time; empty if nothing waits. */
    dueAt: instant("due_at"),
    /** When the first attempt since the last success failed, and how many have failed since then. */
    failingSince: instant("failing_since"),
    failures: integer("failures").notNull().default(0),
    /** The process that delivers, and a counter that it increments while it does. */
    leaseHolder: text("lease_holder"),
    leaseBeat: bigint("lease_beat", { mode: "number" }).notNull().default(0),
  },
  (table) => [
    primaryKey({ name: "audit_streams_pk", columns: [table.tenantId, table.streamId] }),
    references("audit_streams_tenant_fk", table, tenants, "tenantId"),
  ],
);
