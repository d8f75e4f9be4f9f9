import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { ReleaseEntry, ReleaseProblem, ReleaseState } from "@/lib/protocol/documents/preview";
import { codePointText, instant, references } from "./columns";
import { sites } from "./tenants";

/** Configurations of one site whose stages change together, at once or at a time. */
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
    /** On whose behalf a scheduled release is published. */
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
