import { type Message, msg, t } from "@/components/texts/t";
import type { Counts, Metadata } from "./load";

/** A line of a chart: its name, its colour's place, and its dash, so that colour is never alone. */
export interface ChartSeries {
  key: string;
  label: string;
  color: string;
  dash: string;
  values: (number | null)[];
  total: number;
}

/** The series of all that are not drawn by themselves. */
const restKey = "other";

/** What the address calls a series that is switched off. How many the rest are changes while the page is open, and so does its label. */
export const nameOf = ({ key, label }: Pick<ChartSeries, "key" | "label">): string =>
  key === restKey ? "all others" : label;

const dashes = ["0", "6 3", "2 3", "8 3 2 3", "1 4", "12 4"];
const maxSeries = 6;
const grey = "var(--chart-other)";

/** What has a name beside its id. */
type Named = Pick<Metadata, "apiKeys">;

const empty: Record<string, Message> = {
  site: msg("no site"),
  apiKey: msg("no key"),
  user: msg("nobody signed in"),
  domain: msg("unknown"),
};

function labelOf(groups: Record<string, string>, metadata: Named): string {
  const words = Object.entries(groups).map(([group, value]) => {
    if (value === "__other__") return t("other");
    if (value === "__overflow__") return t("beyond the limit");
    if (group === "apiKey")
      return metadata.apiKeys.find(({ id }) => id === value)?.name ?? (value || t("no key"));
    return value || t(empty[group] ?? msg("none"));
  });
  return words.join(", ") || t("All calls");
}

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
const look = (index: number) => ({
  color: `var(--chart-${(index % maxSeries) + 1})`,
  dash: dashes[index % dashes.length] ?? "0",
});

/** The series of an answer with names and looks; more than 6 become the 5 with the most calls and the rest. */
export function chartSeries(
  { times, series }: Pick<Counts, "times" | "series">,
  metadata: Named,
  firstCounted = 0,
): ChartSeries[] {
  const known = (values: number[]) =>
    values.map((value, index) => (index < firstCounted ? null : value));
  const all = series.map(({ groups, values }) => ({
    key: JSON.stringify(groups),
    label: labelOf(groups, metadata),
    values: known(values),
    total: sum(values),
  }));
  const kept = all.length > maxSeries ? all.slice(0, maxSeries - 1) : all;
  const shown = kept.map((one, index) => ({ ...one, ...look(index) }));
  if (kept.length === all.length) return shown;
  const rest = all.slice(maxSeries - 1);
  const values = times.map((_, index) => sum(rest.map((one) => one.values[index] ?? 0)));
  return [
    ...shown,
    {
      key: restKey,
      label: t("other ({count})", { count: rest.length }),
      color: grey,
      dash: "3 3",
      values: known(values),
      total: sum(values),
    },
  ];
}

/** Series of which nothing is summed: quantiles, and the range before. */
export function plainSeries(
  entries: { key: string; label: string; values: (number | null)[] }[],
  from = 0,
): ChartSeries[] {
  return entries.map((entry, index) => ({ ...entry, ...look(index + from), total: 0 }));
}
