import {
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import type { AlertFilter, AlertReading } from "@/lib/protocol/documents/alert";
import { codePointText, instant, references } from "./columns";
import { tenants } from "./tenants";

/** A rule about the tenant's calls, and what came of its last check. */
export const alerts = pgTable(
  "alerts",
  {
    tenantId: codePointText("tenant_id").notNull(),
    alertId: codePointText("alert_id").notNull(),
    name: text("name").notNull(),
    measure: text("measure", {
      enum: [
        "calls",
        "error-rate",
        "client-error-rate",
        "latency-p50",
        "latency-p95",
        "latency-p99",
        "silence",
      ],
    }).notNull(),
    filter: jsonb("filter").$type<AlertFilter>().notNull(),
    /** The site of the filter: who has authority at one site sees its rules. */
    siteId: codePointText("site_id"),
    threshold: doublePrecision("threshold").notNull(),
    windowMinutes: integer("window_minutes").notNull(),
    minimumCount: integer("minimum_count").notNull(),
    createdAt: instant("created_at").notNull(),
    status: text("status", { enum: ["pending", "ok", "firing", "no-data"] }).notNull(),
    /** Since when it has that status, and for a firing one since when it fires. */
    since: instant("since").notNull(),
    /** The end of the windows that were checked last. */
    checkedTo: instant("checked_to"),
    reading: jsonb("reading").$type<AlertReading>(),
    /** Whether the current firing was announced. */
    isAnnounced: boolean("is_announced").notNull().default(false),
    acknowledgedAt: instant("acknowledged_at"),
    acknowledgedBy: codePointText("acknowledged_by"),
    mutedUntil: instant("muted_until"),
    /** The ids of the people who are mailed. */
    mailTo: jsonb("mail_to").$type<string[]>().notNull().default([]),
    /** The number of the newest entry of the history. */
    entries: integer("entries").notNull().default(0),
    /** Raised by every change of the rule and every change of its status: a check that read an older one writes nothing. */
    revision: integer("revision").notNull().default(0),
    /** When it is checked next. The process that moves it on does that check. */
    dueAt: instant("due_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "alerts_pk", columns: [table.tenantId, table.alertId] }),
    references("alerts_tenant_fk", table, tenants, "tenantId"),
  ],
);

/** What happened to a rule: when it fired and resolved, and what people did about it. */
export const alertEntries = pgTable(
  "alert_entries",
  {
    tenantId: codePointText("tenant_id").notNull(),
    alertId: codePointText("alert_id").notNull(),
    /** From 1, without gaps. */
    number: integer("number").notNull(),
    at: instant("at").notNull(),
    kind: text("kind", {
      enum: ["fired", "resolved", "acknowledged", "muted", "unmuted", "changed"],
    }).notNull(),
    /** Of what fired and resolved. */
    reading: jsonb("reading").$type<AlertReading>(),
    threshold: doublePrecision("threshold"),
    reason: text("reason", { enum: ["recovered", "no-data", "changed"] }),
    /** Who did it; empty for what the service found. */
    userId: codePointText("user_id"),
    /** Until when it was muted. */
    until: instant("until"),
  },
  (table) => [
    primaryKey({
      name: "alert_entries_pk",
      columns: [table.tenantId, table.alertId, table.number],
    }),
    references("alert_entries_alert_fk", table, alerts, "tenantId", "alertId").onDelete("cascade"),
  ],
);
