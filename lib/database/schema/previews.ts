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
import type {
  PreviewProblem,
  PreviewStage,
  PreviewVia,
  ReleaseEntry,
  ReleaseProblem,
  ReleaseState,
} from "@/lib/protocol/documents/preview";
import { bytes, codePointText, instant, references } from "./columns";
import { sites } from "./tenants";

/**
 * A preview configuration without its bytes, which are those of revision `version`. Title, enabled, stage and
 * problems are extracted from the bytes at each write, for lists.
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
    /** Set by a delete, which can be undone for 30 days; until then another one with the same key may be created. */
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

/** Every revision of a configuration, as the received bytes. */
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

/** Links by which people without a login read one preview configuration. */
export const previewShares = pgTable(
  "preview_shares",
  {
    tenantId: codePointText("tenant_id").notNull(),
    shareId: codePointText("share_id").notNull(),
    previewId: codePointText("preview_id").notNull(),
    /** SHA-256 of the token in the link. */
    tokenHash: bytes("token_hash").notNull(),
    validTo: instant("valid_to").notNull(),
    comment: text("comment").notNull(),
    createdAt: instant("created_at").notNull(),
    /** The author, whose rights the share has. */
    userId: codePointText("user_id").notNull(),
    keyId: codePointText("key_id"),
    /** The author's credential epoch at creation; empty if an API key created it. */
    issuerEpoch: integer("issuer_epoch"),
  },
  (table) => [
    primaryKey({ name: "preview_shares_pk", columns: [table.tenantId, table.shareId] }),
    uniqueIndex("preview_shares_hash_unique").on(table.tenantId, table.tokenHash),
    index("preview_shares_preview_index").on(table.tenantId, table.previewId, table.shareId),
    references(
      "preview_shares_preview_fk",
      table,
      previewConfigurations,
      "tenantId",
      "previewId",
    ).onDelete("cascade"),
  ],
);

/** Comments on a configuration, or on a part of it. */
export const previewComments = pgTable(
  "preview_comments",
  {
    tenantId: codePointText("tenant_id").notNull(),
    commentId: codePointText("comment_id").notNull(),
    previewId: codePointText("preview_id").notNull(),
    /** A JSON Pointer; empty if it is about the whole. */
    pointer: text("pointer"),
    text: text("text").notNull(),
    /** The newest revision when it was written. */
    version: integer("version").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    resolvedAt: instant("resolved_at"),
    /** The author: either a user, or a visitor with a share. */
    userId: codePointText("user_id"),
    login: codePointText("login"),
    shareId: codePointText("share_id"),
  },
  (table) => [
    primaryKey({ name: "preview_comments_pk", columns: [table.tenantId, table.commentId] }),
    index("preview_comments_preview_index").on(table.tenantId, table.previewId, table.commentId),
    references(
      "preview_comments_preview_fk",
      table,
      previewConfigurations,
      "tenantId",
      "previewId",
    ).onDelete("cascade"),
  ],
);

/** Configurations of one site whose stages change together, at once or at a scheduled time. */
export const previewReleases = pgTable(
  "preview_releases",
  {
    tenantId: codePointText("tenant_id").notNull(),
    releaseId: codePointText("release_id").notNull(),
    siteId: codePointText("site_id").notNull(),
    name: text("name").notNull(),
    state: text("state").$type<ReleaseState>().notNull(),
    entries: jsonb("entries").$type<ReleaseEntry[]>().notNull(),
    /** When a scheduled release is due. */
    publishAt: instant("publish_at"),
    /** Why the newest attempt failed. */
    problems: jsonb("problems").$type<ReleaseProblem[]>().notNull(),
    createdAt: instant("created_at").notNull(),
    userId: codePointText("user_id").notNull(),
    /** The user on whose behalf a scheduled release is published. */
    schedulerUserId: codePointText("scheduler_user_id"),
    schedulerKeyId: codePointText("scheduler_key_id"),
    /** Set once the release is published or cancelled. */
    endedAt: instant("ended_at"),
  },
  (table) => [
    primaryKey({ name: "preview_releases_pk", columns: [table.tenantId, table.releaseId] }),
    index("preview_releases_due_index")
      .on(table.tenantId, table.publishAt)
      .where(sql`state = 'scheduled'`),
    references("preview_releases_site_fk", table, sites, "tenantId", "siteId").onDelete("cascade"),
  ],
);
