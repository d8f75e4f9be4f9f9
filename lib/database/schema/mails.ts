import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, codePointText, instant, references } from "./columns";
import { tenants } from "./tenants";

/** Mails to send. A row names what the mail is about; address, text and link are made when it is sent, so that none of them is stored. */
export const mails = pgTable(
  "mails",
  {
    tenantId: codePointText("tenant_id").notNull(),
    /** What there is at most one mail of: an audit entry, or for one person some minutes of requests, of a rule or of an address. */
    mailId: text("mail_id").notNull(),
    kind: text("kind", {
      enum: ["password-reset", "notice", "alert", "email-confirmation", "access-request"],
    }).notNull(),
    /** The entry that a notice or a request for access is about. */
    auditId: codePointText("audit_id"),
    /** The rule that an alert's mail is about. */
    alertId: codePointText("alert_id"),
    /** For whom a reset was requested, whether or not there is such a login: sealed, and empty once the mail is settled. */
    login: bytes("login"),
    requestId: text("request_id"),
    createdAt: instant("created_at").notNull(),
    /** The next attempt; empty once the mail is settled. */
    dueAt: instant("due_at"),
    attempts: integer("attempts").notNull().default(0),
    /** Who got it: what a person gets is limited. Of all but notices and resets also who is to get it. */
    userId: codePointText("user_id"),
    sentAt: instant("sent_at"),
  },
  (table) => [
    primaryKey({ name: "mails_pk", columns: [table.tenantId, table.mailId] }),
    index("mails_due_index").on(table.tenantId, table.dueAt).where(sql`due_at is not null`),
    index("mails_user_index").on(table.tenantId, table.userId, table.sentAt),
    references("mails_tenant_fk", table, tenants, "tenantId"),
  ],
);
