import { integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { JWK } from "jose";
import { bytes, instant } from "./columns";

/** Times the whole store remembers: when a clock was last trusted, and when a round of periodic work last began. One row for each name. */
export const storeClock = pgTable(
  "store_clock",
  {
    name: text("name").notNull(),
    seenAt: instant("seen_at").notNull(),
  },
  (table) => [primaryKey({ name: "store_clock_pk", columns: [table.name] })],
);

/** The keys that sign tokens, for all tenants: a small global table; the prefix of `kid` says which. The number makes one of two processes win that rotate at once. */
export const signingKeys = pgTable(
  "signing_keys",
  {
    number: integer("number").notNull(),
    kid: text("kid").notNull(),
    publicKey: jsonb("public_key").$type<JWK>().notNull(),
    /** AES-256-GCM of the PKCS 8 form, under a key derived from the service's secret. */
    privateKey: bytes("private_key").notNull(),
    createdAt: instant("created_at").notNull(),
    /** Signs from here on: a while after it was published, so that others' copies of the key set hold it by then. */
    activeAt: instant("active_at").notNull(),
  },
  (table) => [primaryKey({ name: "signing_keys_pk", columns: [table.number] })],
);
