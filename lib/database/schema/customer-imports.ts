import { sql } from "drizzle-orm";
import {
  bigint,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { ImportResult } from "@/lib/protocol/documents/import-result";
import { bytes, codePointText, instant, references } from "./columns";
import { tenants } from "./tenants";

/** A file of customers that staff imports at one site; at most one for each tenant is open. */
export const customerImports = pgTable(
  "customer_imports",
  {
    tenantId: codePointText("tenant_id").notNull(),
    importId: codePointText("import_id").notNull(),
    siteId: codePointText("site_id").notNull(),
    /** The sites at which its creator may manage customers. */
    siteIds: jsonb("site_ids").$type<string[]>().notNull(),
    userId: codePointText("user_id").notNull(),
    keyId: codePointText("key_id"),
    /** receiving: the file is being uploaded. */
    state: text("state", {
      enum: ["receiving", "queued", "running", "done", "cancelled"],
    }).notNull(),
    bytes: bigint("bytes", { mode: "number" }).notNull().default(0),
    total: integer("total").notNull().default(0),
    done: integer("done").notNull().default(0),
    failed: integer("failed").notNull().default(0),
    createdAt: instant("created_at").notNull(),
    startedAt: instant("started_at"),
    endedAt: instant("ended_at"),
    /** The process that works on it, and a counter that it increments while it does. */
    leaseHolder: text("lease_holder"),
    leaseBeat: bigint("lease_beat", { mode: "number" }).notNull().default(0),
  },
  (table) => [
    primaryKey({ name: "customer_imports_pk", columns: [table.tenantId, table.importId] }),
    uniqueIndex("customer_imports_open_unique").on(table.tenantId).where(sql`ended_at is null`),
    references("customer_imports_tenant_fk", table, tenants, "tenantId"),
  ],
);

/** The lines of a file that are not imported yet: each row is one batch, and is deleted in the transaction that imports it. */
export const customerImportChunks = pgTable(
  "customer_import_chunks",
  {
    tenantId: codePointText("tenant_id").notNull(),
    importId: codePointText("import_id").notNull(),
    /** The number of its first line, from 1. */
    firstLine: integer("first_line").notNull(),
    /** The lines, compressed. */
    content: bytes("content").notNull(),
  },
  (table) => [
    primaryKey({
      name: "customer_import_chunks_pk",
      columns: [table.tenantId, table.importId, table.firstLine],
    }),
    references(
      "customer_import_chunks_import_fk",
      table,
      customerImports,
      "tenantId",
      "importId",
    ).onDelete("cascade"),
  ],
);

/** The outcome of the lines of a batch. */
export const customerImportResults = pgTable(
  "customer_import_results",
  {
    tenantId: codePointText("tenant_id").notNull(),
    importId: codePointText("import_id").notNull(),
    firstLine: integer("first_line").notNull(),
    lastLine: integer("last_line").notNull(),
    created: jsonb("created").$type<ImportResult[]>().notNull(),
    failures: jsonb("failures").$type<ImportResult[]>().notNull(),
  },
  (table) => [
    primaryKey({
      name: "customer_import_results_pk",
      columns: [table.tenantId, table.importId, table.firstLine],
    }),
    references(
      "customer_import_results_import_fk",
      table,
      customerImports,
      "tenantId",
      "importId",
    ).onDelete("cascade"),
  ],
);
