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

/** A rule about the tenant's calls, and the result of its last check. */
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
    /** The site of the filter: users with a role at one site see its rules. */
    siteId: codePointText("site_id"),
    threshold: doublePrecision("threshold").notNull(),
    windowMinutes: integer("window_minutes").notNull(),
    minimumCount: integer("minimum_count").notNull(),
    createdAt: instant("created_at").notNull(),
    status: text("status", { enum: ["pending", "ok", "firing", "no-data"] }).notNull(),
    /** Since when the rule has that status. */
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
    /** The number of the newest history entry. */
    entries: integer("entries").notNull().default(0),
    /** Raised by every change of the rule and every change of its status: a check that read an older value writes nothing. */
    revision: integer("revision").notNull().default(0),
    /** When it is next checked. The process that advances it does that check. */
    dueAt: instant("due_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "alerts_pk", columns: [table.tenantId, table.alertId] }),
    references("alerts_tenant_fk", table, tenants, "tenantId"),
  ],
);

/** The history of a rule: when it fired and resolved, and the actions of people. */
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
    /** Set for entries that fired or resolved. */
    reading: jsonb("reading").$type<AlertReading>(),
    threshold: doublePrecision("threshold"),
    reason: text("reason", { enum: ["recovered", "no-data", "changed"] }),
    /** The user who acted; empty for entries of the service. */
    userId: codePointText("user_id"),
    /** The end of the mute. */
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
