import { index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { bytes, codePointText, instant } from "./columns";

/** From where a login signed in lately, as keyed hashes: at most 20 networks each, for 90 days. */
export const knownNetworks = pgTable(
  "known_networks",
  {
    tenantId: codePointText("tenant_id").notNull(),
    /** Of the tenant, the plane and the login: there is none for a login that does not exist. */
    loginHash: bytes("login_hash").notNull(),
    networkHash: bytes("network_hash").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
  },
  (table) => [
    primaryKey({
      name: "known_networks_pk",
      columns: [table.tenantId, table.loginHash, table.networkHash],
    }),
    index("known_networks_seen_index").on(table.tenantId, table.lastSeenAt),
  ],
);
