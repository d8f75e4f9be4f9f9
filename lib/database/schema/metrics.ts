import { sql } from "drizzle-orm";
import { bigint, index, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { bytes, codePointText, instant, references } from "./columns";
import { tenants } from "./tenants";

/** A counted series: one combination of values, or only one value ("" for those that a shape omits). The id is a hash of the rest. */
export const metricSeries = pgTable(
  "metric_series",
  {
    tenantId: codePointText("tenant_id").notNull(),
    seriesId: bigint("series_id", { mode: "bigint" }).notNull(),
    shape: smallint("shape").notNull(),
    domain: codePointText("domain").notNull(),
    site: codePointText("site").notNull(),
    endpoint: codePointText("endpoint").notNull(),
    method: codePointText("method").notNull(),
    status: codePointText("status").notNull(),
    apiKey: codePointText("api_key").notNull(),
    user: codePointText("user_id").notNull(),
    credentialKind: codePointText("credential_kind").notNull(),
    /** When it was last counted, to the day. */
    seenAt: instant("seen_at").notNull().default(sql`'2026-11-22T00:00:00Z'`),
  },
  (table) => [
    primaryKey({
      name: "metric_series_pk",
      columns: [table.tenantId, table.shape, table.seriesId],
    }),
    index("metric_series_seen_index").on(table.tenantId, table.seenAt),
  ],
);

/** Batches that were already counted: a batch is stored once, however often it is sent. */
export const metricBatches = pgTable(
  "metric_batches",
  {
    tenantId: codePointText("tenant_id").notNull(),
    /** The process that counted, or the id of a client's batch. */
    source: codePointText("source").notNull(),
    /** The newest stored batch of the source. */
    seq: bigint("seq", { mode: "number" }).notNull(),
    /** Set for a client's batch: the same id with other content is rejected. */
    digest: bytes("digest"),
    receivedAt: instant("received_at").notNull(),
  },
  (table) => [
    primaryKey({ name: "metric_batches_pk", columns: [table.tenantId, table.source] }),
    index("metric_batches_received_index")
      .on(table.tenantId, table.receivedAt)
      .where(sql`digest is not null`),
  ],
);

/** Whole combinations as received, until the compactor packs them: one row for each batch, with parallel lists. */
export const metricTails = pgTable(
  "metric_tails",
  {
    tenantId: codePointText("tenant_id").notNull(),
    source: codePointText("source").notNull(),
    seq: bigint("seq", { mode: "number" }).notNull(),
    landedAt: instant("landed_at").notNull(),
    /** The length of the lists. */
    entries: integer("entries").notNull(),
    /** Minutes since the epoch. */
    firstMinute: integer("first_minute").notNull(),
    lastMinute: integer("last_minute").notNull(),
    seriesIds: bigint("series_ids", { mode: "bigint" }).array().notNull(),
    minutes: integer("minutes").array().notNull(),
    /** A latency bucket, or -1 where all calls are counted. */
    buckets: smallint("buckets").array().notNull(),
    calls: bigint("calls", { mode: "number" }).array().notNull(),
  },
  (table) => [
    primaryKey({ name: "metric_tails_pk", columns: [table.tenantId, table.source, table.seq] }),
  ],
);

/** One row has the counts of a whole hour, day or month of one series, with a slot for each minute, quarter of an hour or day. */
const packed = () => ({
  tenantId: codePointText("tenant_id").notNull(),
  shape: smallint("shape").notNull(),
  at: instant("at").notNull(),
  seriesId: bigint("series_id", { mode: "bigint" }).notNull(),
  counts: integer("counts").array().notNull(),
  /** Added to counts: the excess over their 31 bits. */
  wide: bigint("wide", { mode: "number" }).array(),
  /** Entries of calls * 65536 + slot * 256 + latency bucket. */
  latency: bigint("latency", { mode: "number" }).array(),
});

/** Rows of an hour. Partitioned by day. */
export const metricMinutes = pgTable("metric_minutes", packed(), (table) => [
  primaryKey({
    name: "metric_minutes_pk",
    columns: [table.tenantId, table.shape, table.at, table.seriesId],
  }),
]);

/** Rows of a UTC day with 96 quarters of an hour, for single values only. Partitioned by month. */
export const metricQuarters = pgTable("metric_quarters", packed(), (table) => [
  primaryKey({
    name: "metric_quarters_pk",
    columns: [table.tenantId, table.shape, table.at, table.seriesId],
  }),
]);

/** The same for whole combinations, which are kept for a shorter time. */
export const metricQuartersCube = pgTable("metric_quarters_cube", packed(), (table) => [
  primaryKey({
    name: "metric_quarters_cube_pk",
    columns: [table.tenantId, table.shape, table.at, table.seriesId],
  }),
]);

/** Rows of a UTC month. Partitioned by year. */
export const metricDays = pgTable("metric_days", packed(), (table) => [
  primaryKey({
    name: "metric_days_pk",
    columns: [table.tenantId, table.shape, table.at, table.seriesId],
  }),
]);

/** Events marked in the metrics charts, reported by programs and people: a deploy, a campaign, an external outage. */
export const chartMarkers = pgTable(
  "chart_markers",
  {
    tenantId: codePointText("tenant_id").notNull(),
    markerId: codePointText("marker_id").notNull(),
    /** When it happened, which is not when it was reported. */
    at: instant("at").notNull(),
    /** When it ended; empty for an event without a duration. */
    until: instant("until"),
    title: text("title").notNull(),
    kind: codePointText("kind").notNull(),
    url: text("url"),
    /** The user who reported it; both are empty in rows from before these columns, `login` also for an erased user. */
    userId: codePointText("user_id"),
    login: codePointText("login"),
  },
  (table) => [
    primaryKey({ name: "chart_markers_pk", columns: [table.tenantId, table.markerId] }),
    index("chart_markers_at_index").on(table.tenantId, table.at, table.markerId),
    references("chart_markers_tenant_fk", table, tenants, "tenantId"),
  ],
);
