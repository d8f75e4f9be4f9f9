import { z } from "zod";
import { metricsQuestionCodes } from "@/lib/protocol/code-groups";
import { automation, endpoint, management } from "@/lib/protocol/endpoint";
import { Instant, InstantAnswer } from "@/lib/protocol/formats";
import { LatencyQuery, MetricsQuery, Sample, TopQuery } from "./parameters";
import { groups, type Listed, limits, listedValues } from "./values";

const Groups = z.record(z.string(), z.string());

export const SerieValues = z
  .object({ groups: Groups, values: z.array(z.number()) })
  .meta({ id: "SerieValues" });

const Plan = z.object({
  shape: z.string(),
  period: z.object({ unit: z.string(), count: z.int(), timeZone: z.string() }),
  segments: z.array(z.object({ table: z.string(), from: InstantAnswer, to: InstantAnswer })),
});

export const TimeSeries = z
  .object({ times: z.array(InstantAnswer), series: z.array(SerieValues), plan: Plan.optional() })
  .meta({ id: "TimeSeries" });
export type TimeSeries = z.infer<typeof TimeSeries>;

/** Null where there were no calls. */
export const LatencySeries = z.object({
  times: z.array(InstantAnswer),
  series: z.array(z.object({ groups: Groups, values: z.array(z.number().nullable()) })),
});
export type LatencySeries = z.infer<typeof LatencySeries>;

const reading = {
  credentials: management,
  permission: "api-metric.read",
  profile: "metrics",
} as const;

export const countCalls = endpoint({
  operation: "GET /v1/api-metrics/metrics/timeserie-counts",
  summary: "Count calls over time",
  ...reading,
  query: MetricsQuery,
  answer: TimeSeries,
  codes: [...metricsQuestionCodes],
  conditional: "tag",
});

export const measureLatencies = endpoint({
  operation: "GET /v1/api-metrics/metrics/timeserie-latencies",
  summary: "Quantiles of the time calls took, in milliseconds",
  ...reading,
  query: LatencyQuery,
  answer: LatencySeries,
  codes: [...metricsQuestionCodes],
  conditional: "tag",
});

export const listTop = endpoint({
  example: { query: { group: "endpoint" } },
  operation: "GET /v1/api-metrics/metrics/top",
  summary: "The groups with the most calls",
  ...reading,
  query: TopQuery,
  answer: z.array(z.object({ groups: Groups, count: z.int(), share: z.number() })),
  codes: [...metricsQuestionCodes],
  conditional: "tag",
});

export const exportCounts = endpoint({
  operation: "GET /v1/api-metrics/metrics/export",
  summary: "The same counts as a table: JSON, CSV or NDJSON",
  ...reading,
  query: MetricsQuery,
  produces: ["application/json", "text/csv", "application/x-ndjson"],
  answer: z.array(z.object({ time: InstantAnswer, groups: Groups, count: z.int() })),
  codes: [...metricsQuestionCodes],
  conditional: "tag",
});

const PeriodStep = z.object({ unit: z.string(), counts: z.array(z.int()) });

const listed = Object.fromEntries(
  Object.values(listedValues).map((name) => [name, z.array(z.string())]),
) as Record<(typeof listedValues)[Listed], z.ZodArray<z.ZodString>>;

export const SampleTraffic = z
  .object({
    from: InstantAnswer,
    to: InstantAnswer,
    expiresAt: InstantAnswer.meta({ description: "It is removed then" }),
  })
  .meta({ id: "SampleTraffic" });
export type SampleTrafficAnswer = z.infer<typeof SampleTraffic>;

export const MetricsMetadata = z.object({
  ...listed,
  apiKeys: z.array(
    z.object({
      id: z.string(),
      name: z.string().meta({ description: "Unique among the keys of an owner" }),
      hint: z.string().meta({ description: "The last characters of the key" }),
    }),
  ),
  groups: z.array(z.enum(groups)),
  periods: z.array(PeriodStep),
  retention: z.array(
    z.object({ grain: z.string(), seconds: z.int(), days: z.int(), combinationDays: z.int() }),
  ),
  limits: z.object({
    buckets: z.int(),
    series: z.int(),
    cells: z.int(),
    autoBuckets: z.int(),
    groups: z.int(),
    batchCells: z.int(),
  }),
  isSynthetic: z
    .boolean()
    .meta({ description: "The tenant was given generated traffic, to look at" }),
  countedSince: InstantAnswer.nullable().meta({
    description: "When the first call was counted that is kept; null without any",
  }),
  sampleTraffic: SampleTraffic.nullable().meta({ description: "Null without any" }),
});
export type MetricsMetadata = z.infer<typeof MetricsMetadata>;

export const getMetricsMetadata = endpoint({
  operation: "GET /v1/api-metrics/metadata",
  summary: "What can be asked of the metrics",
  ...reading,
  query: z.strictObject({ sample: Sample }),
  answer: MetricsMetadata,
  conditional: "tag",
});

const managing = { ...automation, permission: "tenant.manage", isTenantWide: true } as const;

export const addSampleTraffic = endpoint({
  operation: "PUT /v1/api-metrics/sample-traffic",
  summary: "Add sample traffic to a sandbox: invented calls",
  ...managing,
  limits: { tenant: "sample-traffic", isOneAtATime: true },
  answer: SampleTraffic,
  codes: ["tenant.sandbox-only"],
});

export const removeSampleTraffic = endpoint({
  operation: "DELETE /v1/api-metrics/sample-traffic",
  summary: "Remove the sample traffic, if there is any",
  ...managing,
  status: 204,
});

/** Values that start with "__" are reserved: `__other__`, `__overflow__`. */
const Value = z
  .string()
  .min(1)
  .max(256)
  .regex(/^(?!__)[^\p{Cc}]*$/u, {
    message: "must have no control characters and not begin with __",
  });

/** Queries separate domains by commas. */
const Domain = Value.regex(/^[^,]*$/, { message: "must have no commas" });

const MetricCell = z.strictObject({
  time: Instant,
  domain: Domain,
  endpoint: Value,
  method: z.string().regex(/^[A-Z]{1,16}$/, { message: "must be a method such as GET" }),
  status: z.int().min(100).max(599),
  site: Value.optional(),
  apiKeyId: Value.optional(),
  count: z.int().min(1).max(1_000_000_000_000),
  latency: z
    .array(
      z.strictObject({
        ms: z.number().min(0).max(1_000_000),
        count: z.int().min(1).max(1_000_000_000),
      }),
    )
    .max(160)
    .optional(),
});

export const MetricBatch = z.strictObject({
  batchId: z
    .string()
    .regex(/^[A-Za-z0-9._:-]{1,128}$/, { message: "must be 1 to 128 letters, digits and .-_:" }),
  cells: z.array(MetricCell).min(1).max(limits.batchCells),
});

export const recordCalls = endpoint({
  operation: "POST /v1/api-metrics/events",
  summary: "Report calls that another service of the platform answered",
  credentials: ["apiKey", "session"],
  permission: "api-metric.write",
  body: MetricBatch,
  limits: {
    body: 2 * 1024 * 1024,
    items: { member: "cells", max: limits.batchCells },
    tenant: "metrics-batch",
    isOneAtATime: true,
  },
  status: 202,
  answer: z.object({ batchId: z.string(), cells: z.int(), calls: z.int() }),
  codes: ["metrics.batch-id-reused", "auth.permission-missing", "quota.exceeded"],
});
