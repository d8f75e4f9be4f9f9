import type { ReadersZone } from "@/components/shell/cookies";
import type { ChartKind } from "@/components/ui/chart/shapes";
import {
  type Group,
  groups,
  ladder,
  maxGroups,
  type PageFilter,
  pageFilters,
} from "@/lib/features/metrics/values";
import { isNamedTimeZone } from "@/lib/protocol/time-zones";
import { isZoneless } from "./range";

/** The state of the metrics page that is stored in the address. */
export interface MetricsState extends Record<PageFilter, string[]> {
  /** A preset such as 24h; "" when from and to are given. */
  range: string;
  from: string;
  to: string;
  /** When the charts are zoomed: the whole range around the zoom, as two instants with a slash between them. */
  within: string;
  /** "" for the reader's zone. */
  zone: string;
  /** "auto", or a count and a unit such as 5-minute. */
  period: string;
  /** At most 3. */
  group: Grouping[];
  chart: (typeof charts)[number];
  compare: boolean;
  live: boolean;
  /** The sample traffic of a sandbox instead of its real calls. Saved views do not store it. */
  sample: boolean;
  view: (typeof views)[number];
  /** Series that the legend has switched off. */
  off: string[];
}

export const charts = ["line", "area", "bar", "multiples", "heatmap"] as const;
export const views = ["chart", "table"] as const;
/** The kind of a single chart; area when the page shows several charts or the heatmap. */
export const plainKind = (chart: MetricsState["chart"]): ChartKind =>
  chart === "multiples" || chart === "heatmap" ? "area" : chart;
export type Grouping = Group;
type Step = (typeof ladder)[number];
type PeriodName = "auto" | `${Step["count"]}-${Step["unit"]}`;
export const periods: readonly PeriodName[] = [
  "auto",
  ...ladder.map(({ unit, count }): PeriodName => `${count}-${unit}`),
];

/** One value for each filter of the page. */
export const forFilters = <Value>(create: (filter: PageFilter) => Value) =>
  Object.fromEntries(pageFilters.map((filter) => [filter, create(filter)])) as Record<
    PageFilter,
    Value
  >;
export const filtersOf = (state: MetricsState) => forFilters((filter) => state[filter]);

export const metricsDefaults: MetricsState = {
  range: "24h",
  from: "",
  to: "",
  within: "",
  zone: "",
  period: "auto",
  ...forFilters((): string[] => []),
  group: ["statusClass"],
  chart: "area",
  compare: true,
  live: false,
  sample: false,
  view: "chart",
  off: [],
};

type Parameters = Record<string, string | string[] | undefined>;

const first = (parameters: Parameters, name: string) => [parameters[name]].flat()[0];
const oneOf = <Value extends string>(
  values: readonly Value[],
  value: string | undefined,
  otherwise: Value,
) => values.find((one) => one === value) ?? otherwise;
/** Commas separate values: a comma within a value is escaped, as the browser's parser does it. */
const listOf = (text: string | undefined) =>
  text ? text.split(",").map((part) => part.replaceAll("%2C", ",")) : [];

/** Adds a grouping; of more than 3 the oldest is removed. */
export const withGrouping = (group: readonly Grouping[], one: Grouping): Grouping[] =>
  [...group, one].slice(-maxGroups);

/** Parses the groupings of the address; an empty text means none. */
export function readGroups(text: string): Grouping[] {
  const named = text.split(",").flatMap((name) => groups.find((one) => one === name) ?? []);
  return [...new Set(named)].slice(0, maxGroups);
}

/** Reads the address on the server as the browser's parsers do. */
export function readMetricsState(parameters: Parameters): MetricsState {
  const text = (name: "range" | "from" | "to" | "within" | "zone") =>
    first(parameters, name) ?? metricsDefaults[name];
  const list = (name: PageFilter | "off") => listOf(first(parameters, name));
  return {
    range: text("range"),
    from: text("from"),
    to: text("to"),
    within: text("within"),
    zone: text("zone"),
    period: oneOf(periods, first(parameters, "period"), "auto"),
    ...forFilters(list),
    group: readGroups(first(parameters, "group") ?? metricsDefaults.group.join(",")),
    chart: oneOf(charts, first(parameters, "chart"), "area"),
    compare: first(parameters, "compare") !== "false",
    live: first(parameters, "live") === "true",
    sample: first(parameters, "sample") === "true",
    view: oneOf(views, first(parameters, "view"), "chart"),
    off: list("off"),
  };
}

/** The state in the reader's zone when the address names no known zone. */
export const inZoneOf = ({ name }: ReadersZone, state: MetricsState): MetricsState => ({
  ...state,
  zone: isNamedTimeZone(state.zone) ? state.zone : name,
});

/** The part of the state that the responses depend on; the rest is presentation. */
export function asked(given: MetricsState) {
  const { chart: _, live: _live, view: _view, off: _off, within: _within, ...state } = given;
  return { ...state, zone: isZoneless(state) ? "UTC" : state.zone };
}

export const metricsKey = (tenant: string, state: MetricsState) => [
  tenant,
  "metrics",
  asked(state),
];

const unitMs: Record<string, number> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_592_000_000,
};

/** The period of buckets of this length, such as 5-minute. Days of 23 hours and months of 28 days are shorter than others. */
export function periodOfLength(length: number): (typeof periods)[number] | undefined {
  return periods.findLast((period) => {
    const [count, unit = ""] = period.split("-");
    return Number(count) * (unitMs[unit] ?? Number.NaN) <= length * 1.1;
  });
}
