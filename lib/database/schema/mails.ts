import { sql } from "drizzle-orm";
import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, codePointText, instant, references } from "./columns";
import { tenants } from "./tenants";

/** Mails to send. A row has the mail's subject; address, text and link are generated when it is sent, so that none of them is stored. */
export const mails = pgTable(
  "mails",
  {
    tenantId: codePointText("tenant_id").notNull(),
    /** Deduplicates mails: the id of an audit entry, or of one person's requests, rule or address within some minutes. */
    mailId: text("mail_id").notNull(),
    kind: text("kind", {
      enum: ["password-reset", "notice", "alert", "email-confirmation", "access-request"],
    }).notNull(),
    /** The entry that a notice or a request for access is about. */
    auditId: codePointText("audit_id"),
    /** The rule that an alert's mail is about. */
    alertId: codePointText("alert_id"),
    /** The login for which a reset was requested, which may not exist: sealed, and empty once the mail is settled. */
    login: bytes("login"),
    requestId: text("request_id"),
    createdAt: instant("created_at").notNull(),
    /** The next attempt; empty once the mail is settled. */
    dueAt: instant("due_at"),
    attempts: integer("attempts").notNull().default(0),
    /** The recipient, whose mails are limited; before the mail is sent, set for all but notices and resets. */
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
