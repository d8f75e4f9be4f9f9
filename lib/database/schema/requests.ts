import { index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { codePointText, instant, references } from "./columns";
import { tenants } from "./tenants";

/** Requests that were rejected or failed, for seven days: operation, caller and error; never a header, a query value or a body. */
export const refusedRequests = pgTable(
  "refused_requests",
  {
    tenantId: codePointText("tenant_id").notNull(),
    refusalId: codePointText("refusal_id").notNull(),
    /** The caller's own id or a generated one: not unique. */
    requestId: codePointText("request_id").notNull(),
    occurredAt: instant("occurred_at").notNull(),
    method: text("method").notNull(),
    /** The route's path with {variables}; empty when no route matched. */
    template: text("template"),
    path: text("path").notNull(),
    status: integer("status").notNull(),
    code: codePointText("code").notNull(),
    reason: text("reason"),
    siteId: text("site_id"),
    /** Set if the credential was valid. */
    credentialKind: text("credential_kind", {
      enum: ["session", "apiKey", "bearer", "anonymous", "customer"],
    }),
    credentialId: codePointText("credential_id"),
    userId: codePointText("user_id"),
    address: text("address").notNull(),
    agent: text("agent").notNull(),
    durationMs: integer("duration_ms").notNull(),
  },
  (table) => [
    primaryKey({ name: "refused_requests_pk", columns: [table.tenantId, table.refusalId] }),
    index("refused_requests_request_index").on(table.tenantId, table.requestId),
    index("refused_requests_occurred_index").on(table.tenantId, table.occurredAt),
    references("refused_requests_tenant_fk", table, tenants, "tenantId").onDelete("cascade"),
  ],
);
