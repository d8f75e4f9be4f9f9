import { z } from "zod";
import { Instant } from "@/lib/protocol/formats";
import { isNamedTimeZone } from "@/lib/protocol/time-zones";
import { isStep, type Period } from "./periods";
import {
  type Filter,
  type FilterKind,
  filterKinds,
  filters,
  groups,
  limits,
  type Unit,
  units,
} from "./values";

/** `a=1&a=2` (form, exploded), `a=1,2` and `a[]=1&a[]=2` mean the same. */
const many = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) =>
      value === undefined ? undefined : [value].flat().flatMap((part) => String(part).split(",")),
    z.array(item).optional(),
  );

/** Repeated only: a path may hold commas. */
const repeated = <Item extends z.ZodType>(item: Item) =>
  z.preprocess(
    (value) => (value === undefined ? undefined : [value].flat()),
    z.array(item).optional(),
  );

/** A spelling that is accepted and not advertised. */
const unlisted = { "x-unlisted": true };

export const AggregationGroup = z.enum(groups).meta({ id: "AggregationGroup" });

/** The documented form of a period; `period=hour`, `period=PT6H` and `period={"unit":"hour"}` are accepted too. */
const AggregationPeriod = z
  .string()
  .max(200)
  .meta({
    id: "AggregationPeriod",
    type: "object",
    required: ["unit"],
    properties: {
      unit: { type: "string", enum: [...units] },
      count: { type: "integer", minimum: 1, maximum: 60, default: 1, format: "int32" },
      timeZone: {
        type: "string",
        maxLength: 64,
        default: "UTC",
        description: "A name of the IANA time zone data base",
      },
    },
    description:
      "Minutes must divide 60, hours 24 and months 12; days and weeks come one at a time.",
    "x-style": "deepObject",
    example: { unit: "hour", count: 6, timeZone: "Europe/Paris" },
  });

const Name = z.string().min(1).max(256);
const Value = z.string().max(256);
const StatusClass = z.enum(["1xx", "2xx", "3xx", "4xx", "5xx"]);

const schemas = {
  name: many(Name),
  text: many(Value),
  path: repeated(Name),
  status: many(z.string().regex(/^[1-5]\d\d$/, { message: "must be a status such as 404" })),
  statusClass: many(StatusClass),
} satisfies Record<FilterKind, z.ZodType>;
const filterSchemas = Object.fromEntries(
  filters.map((name) => [name, schemas[filterKinds[name]]]),
) as { [Name in Filter]: (typeof schemas)[(typeof filterKinds)[Name]] };

const { domain, ...furtherFilters } = filterSchemas;
const group = many(AggregationGroup);

/** The same parameters as `name[]`. */
const bracketed = Object.fromEntries(
  Object.entries(filterSchemas).map(([name, schema]) => [`${name}[]`, schema.meta(unlisted)]),
);

/** A query covers either real calls or sample calls, never both. */
export const Sample = z
  .literal("true")
  .optional()
  .meta({ description: "Asks about sample traffic" });

const given = {
  from: Instant,
  to: Instant,
  domain,
  group: group.describe("At most 3. No group: one series of all calls"),
  period: AggregationPeriod.optional(),
  sample: Sample,
  ...furtherFilters,
  ...bracketed,
  "group[]": group.meta(unlisted),
  "period[unit]": z.string().optional().meta(unlisted),
  "period[count]": z.string().optional().meta(unlisted),
  "period[timeZone]": z.string().optional().meta(unlisted),
};

const isoUnits: Record<string, Unit> = {
  TM: "minute",
  TH: "hour",
  D: "day",
  W: "week",
  M: "month",
};

type Loose = { unit?: unknown; count?: unknown; timeZone?: unknown };

/** Reads any accepted spelling of the parameter. Undefined for other texts. */
function looseOf(text: string): Loose | undefined {
  const iso = /^P(T?)(\d{1,4})([MHDW])$/.exec(text);
  if (iso) return { unit: isoUnits[`${iso[1]}${iso[3]}`], count: iso[2] };
  if (!text.startsWith("{")) return { unit: text };
  try {
    const value: Record<string, unknown> = JSON.parse(text);
    return Object.keys(value).every((name) => ["unit", "count", "timeZone"].includes(name))
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}

interface ReadPeriod {
  period: Period | undefined;
  timeZone: string;
}

/** The complete period, or an error message. */
function checked({ unit, count = 1, timeZone = "UTC" }: Loose): ReadPeriod | string {
  if (typeof timeZone !== "string" || !isNamedTimeZone(timeZone))
    return "must have a timeZone of the IANA data base, such as Europe/Paris";
  if (unit === undefined && count === 1) return { period: undefined, timeZone };
  const known = units.find((one) => one === unit);
  if (!known) return `must have a unit of ${units.join(", ")}`;
  const number = typeof count === "string" && /^\d{1,4}$/.test(count) ? Number(count) : count;
  if (typeof number !== "number" || !isStep({ unit: known, count: number }))
    return "must have a count that divides 60 minutes, 24 hours or 12 months; days and weeks come one at a time";
  return { period: { unit: known, count: number, timeZone }, timeZone };
}

type Given = { [name: string]: unknown };

function periodOf(query: Given): ReadPeriod | string {
  const parts: Loose = {
    unit: query["period[unit]"],
    count: query["period[count]"],
    timeZone: query["period[timeZone]"],
  };
  const isDeep = Object.values(parts).some((part) => part !== undefined);
  if (typeof query.period !== "string") return checked(parts);
  if (isDeep) return "must be spelled in one way, not two";
  const loose = looseOf(query.period);
  return loose && loose.unit !== undefined
    ? checked(loose)
    : `must be a unit (${units.join(", ")}), an ISO 8601 duration or an object with unit`;
}

type Context = z.core.$RefinementCtx<Given>;
const problem = (context: Context, name: string, message: string) =>
  context.addIssue({ code: "custom", path: [name], message });

function listOf<Item = string>(query: Given, name: string, context: Context): Item[] {
  const [plain, other] = [query[name], query[`${name}[]`]] as (Item[] | undefined)[];
  if (plain && other) problem(context, name, "must be spelled in one way, not two");
  return plain ?? other ?? [];
}

/** For parameters in which a repeated value would repeat a series. */
function distinct<Item = string>(query: Given, name: string, context: Context): Item[] {
  const found = listOf<Item>(query, name, context);
  if (new Set(found).size < found.length)
    problem(context, name, "must not have the same value twice");
  return found;
}

/** Checks rules across several parameters and merges their alternative spellings. */
function together<Query extends Given & { from: Date; to: Date }>(query: Query, context: Context) {
  const { from, to } = query;
  if (from >= to) problem(context, "from", "must lie before ?to");
  const group = distinct<z.infer<typeof AggregationGroup>>(query, "group", context);
  if (group.length > limits.groups)
    problem(context, "group", `must have at most ${limits.groups} values`);
  const readPeriod = periodOf(query);
  if (typeof readPeriod === "string") {
    problem(context, "period", readPeriod);
    return z.NEVER;
  }
  const chosen = Object.fromEntries(filters.map((name) => [name, listOf(query, name, context)]));
  return { ...query, group, ...readPeriod, filters: chosen as Record<Filter, string[]> };
}

export const MetricsQuery = z
  .strictObject({
    ...given,
    explain: z
      .literal("true")
      .optional()
      .meta({ description: "Adds how the answer was found; for tenant administrators" }),
  })
  .transform(together);

const Quantile = z
  .string()
  .regex(/^p(?:[1-9]\d?(?:\.\d)?)$/, { message: "must be a quantile such as p95" })
  .transform((text) => Number(text.slice(1)) / 100);

export const LatencyQuery = z
  .strictObject({ ...given, quantile: many(Quantile), "quantile[]": many(Quantile).meta(unlisted) })
  .transform((query, context) => {
    const asked = distinct<number>(query, "quantile", context);
    return { ...together(query, context), quantile: asked.length > 0 ? asked : [0.5, 0.95, 0.99] };
  });

export const TopQuery = z
  .strictObject({
    ...given,
    limit: z
      .string()
      .regex(/^(?:[1-9]\d?|100)$/, { message: "must be a number from 1 to 100" })
      .transform(Number)
      .default(20)
      .meta({ type: "integer", minimum: 1, maximum: 100, default: 20 }),
  })
  .transform((query, context) => {
    if (!query.group?.length && !query["group[]"]?.length) problem(context, "group", "is required");
    return together(query, context);
  });
