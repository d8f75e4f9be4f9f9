import { type Message, msg, t } from "@/components/texts/t";
import type { Counts, Metadata } from "./load";

/** A line of a chart: its name, its colour's place, and its dash, so that colour is never the only difference. */
export interface ChartSeries {
  /** Its identity, also in the address. Its label only names it. */
  key: string;
  label: string;
  color: string;
  dash: string;
  values: (number | null)[];
  total: number;
}

/** No value in a key starts with a tilde. */
const restKey = "~others";
const noGroupKey = "~all";

/** The values of a series' groups in one text: "2xx", "key_1|GET /v1/user/list". */
const keyOf = (groups: Record<string, string>): string =>
  Object.values(groups)
    .map((value) => value.replaceAll("~", "~0").replaceAll("|", "~1") || "~2")
    .join("|") || noGroupKey;

const dashes = ["0", "6 3", "2 3", "8 3 2 3", "1 4", "12 4"];
const maxSeries = 6;
const grey = "var(--chart-other)";

/** Groups whose values have a name and an id. */
type Named = Pick<Metadata, "apiKeys"> & { siteNames?: Readonly<Record<string, string>> };

const empty: Record<string, Message> = {
  site: msg("no site"),
  user: msg("nobody signed in"),
  domain: msg("unknown"),
};

/** The label of a key, with its last characters when another key or calls without one have the same label. */
export function keyName(apiKeys: Named["apiKeys"], id: string): string {
  const key = apiKeys.find((one) => one.id === id);
  if (!key) return id || t("no key");
  const isShared =
    key.name === t("no key") || apiKeys.some((one) => one !== key && one.name === key.name);
  return isShared ? `${key.name} (…${key.hint})` : key.name;
}

function labelOf(groups: Record<string, string>, metadata: Named): string {
  const words = Object.entries(groups).map(([group, value]) => {
    if (value === "__other__") return t("other");
    if (value === "__overflow__") return t("beyond the limit");
    if (group === "apiKey") return keyName(metadata.apiKeys, value);
    if (group === "site" && value) return metadata.siteNames?.[value] ?? value;
    return value || t(empty[group] ?? msg("none"));
  });
  return words.join(", ") || t("All calls");
}

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
const look = (index: number) => ({
  color: `var(--chart-${(index % maxSeries) + 1})`,
  dash: dashes[index % dashes.length] ?? "0",
});

/** The series of a response with labels and styles; more than 6 become the 5 with the most calls and the rest. */
export function chartSeries(
  { times, series }: Pick<Counts, "times" | "series">,
  metadata: Named,
  firstCounted = 0,
): ChartSeries[] {
  const known = (values: number[]) =>
    values.map((value, index) => (index < firstCounted ? null : value));
  const labels = series.map(({ groups }) => labelOf(groups, metadata));
  const all = series.map(({ groups, values }, index) => {
    const [key, label = ""] = [keyOf(groups), labels[index]];
    const isShared = labels.indexOf(label) !== labels.lastIndexOf(label);
    return {
      key,
      label: isShared ? `${label} (${key})` : label,
      values: known(values),
      total: sum(values),
    };
  });
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

/** Series that are not summed: quantiles, and the previous period. */
export function plainSeries(
  entries: { key: string; label: string; values: (number | null)[] }[],
  from = 0,
): ChartSeries[] {
  return entries.map((entry, index) => ({ ...entry, ...look(index + from), total: 0 }));
}
