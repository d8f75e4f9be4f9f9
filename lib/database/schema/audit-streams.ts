import { bigint, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { StreamAttempt, StreamGap, StreamSettings } from "@/lib/protocol/documents/delivery";
import { bytes, codePointText, instant, references } from "./columns";
import { tenants } from "./tenants";

/** Where the tenant's audit entries are sent, and how far that has come. */
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
    /** Nothing is sent before; empty where nothing waits. */
    dueAt: instant("due_at"),
    /** Since the last success: when the first attempt failed, and how many did. */
    failingSince: instant("failing_since"),
    failures: integer("failures").notNull().default(0),
    /** The process that delivers, and a counter that it raises while it does. */
    leaseHolder: text("lease_holder"),
    leaseBeat: bigint("lease_beat", { mode: "number" }).notNull().default(0),
  },
  (table) => [
    primaryKey({ name: "audit_streams_pk", columns: [table.tenantId, table.streamId] }),
    references("audit_streams_tenant_fk", table, tenants, "tenantId"),
  ],
);
