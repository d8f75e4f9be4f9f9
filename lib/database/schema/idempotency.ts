import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, codePointText, instant } from "./columns";

/** How long a request with the same key gets the stored response; the cleaning deletes it later. */
export const replayableDays = 1;

/** The response to a POST with an Idempotency-Key. A row without a status is a request in flight. */
export const idempotentAnswers = pgTable(
  "idempotent_answers",
  {
    tenantId: codePointText("tenant_id").notNull(),
    /** SHA-256 over caller, operation and key: allows ids of any length and stores no secret. */
    keyHash: bytes("key_hash").notNull(),
    bodyHash: bytes("body_hash").notNull(),
    createdAt: instant("created_at").notNull(),
    /** The request that has claimed the key: its work is committed only if it still has the claim. */
    attempt: bytes("attempt"),
    status: integer("status"),
    location: text("location"),
    etag: text("etag"),
    body: text("body"),
    /** The customer whose data the body contains: the row is deleted with the account. */
    customerId: codePointText("customer_id"),
    /** The created id, if the response contained a secret and is not stored. */
    secretId: text("secret_id"),
  },
  (table) => [
    primaryKey({ name: "idempotent_answers_pk", columns: [table.tenantId, table.keyHash] }),
    index("idempotent_answers_created_index").on(table.tenantId, table.createdAt),
    index("idempotent_answers_customer_index").on(table.tenantId, table.customerId),
  ],
);
