import { sql } from "drizzle-orm";
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { PreviewProblem, PreviewStage, PreviewVia } from "@/lib/protocol/documents/preview";
import { bytes, codePointText, instant, references } from "./columns";
import { sites } from "./tenants";

/**
 * What is known about a preview configuration in addition to its bytes, which are those of revision `version`.
 * Title, enabled, stage and problems are read out of the bytes at each write, for lists.
 */
export const previewConfigurations = pgTable(
  "preview_configurations",
  {
    tenantId: codePointText("tenant_id").notNull(),
    previewId: codePointText("preview_id").notNull(),
    siteId: codePointText("site_id").notNull(),
    previewKey: codePointText("preview_key").notNull(),
    /** The number of the newest revision. */
    version: integer("version").notNull(),
    title: text("title"),
    isEnabled: boolean("is_enabled"),
    stage: text("stage").$type<PreviewStage>(),
    problems: jsonb("problems").$type<PreviewProblem[]>().notNull(),
    archivedAt: instant("archived_at"),
    /** Set by a delete, which can be undone for 30 days; until then another of the same key may be made. */
    deletedAt: instant("deleted_at"),
  },
  (table) => [
    primaryKey({ name: "preview_configurations_pk", columns: [table.tenantId, table.previewId] }),
    uniqueIndex("preview_configurations_key_unique")
      .on(table.tenantId, table.siteId, table.previewKey)
      .where(sql`deleted_at is null`),
    index("preview_configurations_site_index").on(table.tenantId, table.siteId, table.previewId),
    references("preview_configurations_site_fk", table, sites, "tenantId", "siteId"),
  ],
);

/** Every state that a configuration had, as the bytes that were received. */
export const previewRevisions = pgTable(
  "preview_revisions",
  {
    tenantId: codePointText("tenant_id").notNull(),
    previewId: codePointText("preview_id").notNull(),
    n: integer("n").notNull(),
    writtenAt: instant("written_at").notNull(),
    userId: codePointText("user_id").notNull(),
    login: codePointText("login").notNull(),
    via: text("via").$type<PreviewVia>().notNull(),
    /** SHA-256 of the content in base64url: the ETag without its quotes. */
    hash: codePointText("hash").notNull(),
    content: bytes("content").notNull(),
  },
  (table) => [
    primaryKey({
      name: "preview_revisions_pk",
      columns: [table.tenantId, table.previewId, table.n],
    }),
    references(
      "preview_revisions_preview_fk",
      table,
      previewConfigurations,
      "tenantId",
      "previewId",
    ).onDelete("cascade"),
  ],
);
