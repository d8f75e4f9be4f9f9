import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, codePointText, instant } from "./columns";

/** How long a request with the same key gets the stored response again; the cleaning deletes it later. */
export const replayableDays = 1;

/** What was answered to a POST with an Idempotency-Key. A row without a status is a request in flight. */
export const idempotentAnswers = pgTable(
  "idempotent_answers",
  {
    tenantId: codePointText("tenant_id").notNull(),
    /** SHA-256 over caller, operation and key: ids of any length, no secret kept. */
    keyHash: bytes("key_hash").notNull(),
    bodyHash: bytes("body_hash").notNull(),
    createdAt: instant("created_at").notNull(),
    /** Which request holds the key: what it did counts only while it does. */
    attempt: bytes("attempt"),
    status: integer("status"),
    location: text("location"),
    etag: text("etag"),
    body: text("body"),
    /** The customer whose data the body holds: it goes with the account. */
    customerId: codePointText("customer_id"),
    /** The created id, where the answer held a secret and is not kept. */
    secretId: text("secret_id"),
  },
  (table) => [
    primaryKey({ name: "idempotent_answers_pk", columns: [table.tenantId, table.keyHash] }),
    index("idempotent_answers_created_index").on(table.tenantId, table.createdAt),
    index("idempotent_answers_customer_index").on(table.tenantId, table.customerId),
  ],
);
