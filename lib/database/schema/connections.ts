import { boolean, foreignKey, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { bytes, codePointText, instant } from "./columns";
import { tenants } from "./tenants";

/** The identity providers at which people of a tenant sign in. */
export const connections = pgTable(
  "connections",
  {
    tenantId: codePointText("tenant_id").notNull(),
    connectionId: codePointText("connection_id").notNull(),
    name: text("name").notNull(),
    /** Exactly as the provider writes it: an ID token has to name the same text. */
    issuer: codePointText("issuer").notNull(),
    clientId: text("client_id").notNull(),
    /** Sealed under SECRET_KEY. */
    clientSecret: bytes("client_secret").notNull(),
    scopes: text("scopes").array().notNull(),
    /** Which claims of the provider say the login, the e-mail address and the name of somebody new. */
    loginClaim: text("login_claim").notNull(),
    emailClaim: text("email_claim").notNull(),
    nameClaim: text("name_claim").notNull(),
    /** Domains of e-mail addresses that somebody new may have; any where there are none. */
    domains: text("domains").array().notNull(),
    provisioning: text("provisioning", { enum: ["linked-only", "on-first-sign-in"] }).notNull(),
    isEnabled: boolean("is_enabled").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "connections_pk", columns: [table.tenantId, table.connectionId] }),
    foreignKey({
      name: "connections_tenant_fk",
      columns: [table.tenantId],
      foreignColumns: [tenants.tenantId],
    }),
  ],
);
