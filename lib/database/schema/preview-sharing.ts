import { index, integer, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import { bytes, codePointText, instant, references } from "./columns";
import { previewConfigurations } from "./previews";

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
    /** Its author, whose rights a share has. */
    userId: codePointText("user_id").notNull(),
    keyId: codePointText("key_id"),
    /** The credential epoch that it was made under; empty where an API key made it. */
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

/** What people said about a configuration, or about a place in it. */
export const previewComments = pgTable(
  "preview_comments",
  {
    tenantId: codePointText("tenant_id").notNull(),
    commentId: codePointText("comment_id").notNull(),
    previewId: codePointText("preview_id").notNull(),
    /** A JSON Pointer; empty where it is about the whole. */
    pointer: text("pointer"),
    text: text("text").notNull(),
    /** The newest revision when it was written. */
    version: integer("version").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    resolvedAt: instant("resolved_at"),
    /** Either a user wrote it, or somebody with a share. */
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
