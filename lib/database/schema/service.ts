import { integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { JWK } from "jose";
import { bytes, instant } from "./columns";

/** Times for the whole store: the last trusted time, and the last start of each round of periodic work. One row for each name. */
export const storeClock = pgTable(
  "store_clock",
  {
    name: text("name").notNull(),
    seenAt: instant("seen_at").notNull(),
  },
  (table) => [primaryKey({ name: "store_clock_pk", columns: [table.name] })],
);

/**
 * The keys that sign tokens, for all tenants: a small global table; `kid` starts with the purpose. Numbers are unique, so that one of
 * two simultaneous rotations wins.
 */
export const signingKeys = pgTable(
  "signing_keys",
  {
    number: integer("number").notNull(),
    kid: text("kid").notNull(),
    publicKey: jsonb("public_key").$type<JWK>().notNull(),
    /** AES-256-GCM of the PKCS 8 form, under a key derived from the service's secret. */
    privateKey: bytes("private_key").notNull(),
    createdAt: instant("created_at").notNull(),
    /** Signs from then on: a while after it was published, so that clients' copies of the key set have it by then. */
    activeAt: instant("active_at").notNull(),
  },
  (table) => [primaryKey({ name: "signing_keys_pk", columns: [table.number] })],
);
