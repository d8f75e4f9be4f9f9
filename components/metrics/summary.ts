import { number, plural, reader, t } from "@/components/texts/t";
import type { MetricsData } from "./load";
import type { Range } from "./range";
import { rangeWords } from "./range-words";
import type { MetricsState } from "./state";

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
const totalOf = (counts: MetricsData["counts"]) =>
  sum(counts.series.map(({ values }) => sum(values)));

export function shortNumber(value: number): string {
  return new Intl.NumberFormat(reader().locale, {
    notation: value >= 100_000 ? "compact" : "standard",
    maximumFractionDigits: 2,
  }).format(value);
}

/** Larger changes are shown as a factor instead of a percentage. */
const maxPercent = 1000;

const percentText = (percent: number) => number(percent / 100, { style: "percent" });

/** The change of a number from the previous one: +12%, −3%, 14 times; empty when there was none. */
export function changeWords(now: number, before: number): string {
  if (before === 0) return "";
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return `±${percentText(0)}`;
  if (percent >= maxPercent)
    return t("{count} times", { count: shortNumber(Math.round(now / before)) });
  return `${percent > 0 ? "+" : "−"}${percentText(Math.abs(percent))}`;
}

function change(now: number, before: number | undefined): string {
  const words = before === undefined ? "" : changeWords(now, before);
  return words ? t(", {words} vs previous period", { words }) : "";
}

const wherePeaked = (share: number, domain: string) =>
  share === 100
    ? t(", all in {domain}", { domain })
    : t(", {share}% in {domain}", { share, domain });

/** The range of the page, for print, which has no toolbar. */
export function askedWords({ zone }: MetricsState, { from, to }: Range): string {
  const moment = new Intl.DateTimeFormat(reader().dates, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone,
  });
  return `${rangeWords(moment.format(from), moment.format(to))} (${zone}).`;
}

/** The page in a sentence or two, also for screen readers. */
export function summarise(
  { counts, classes, previous, troubled }: MetricsData,
  zone: string,
): string {
  const total = totalOf(counts);
  if (total === 0) return t("No calls in this range.");
  const calls = plural(total, "1 call{change}.", "{count} calls{change}.", {
    count: shortNumber(total),
    change: change(total, previous?.total),
  });
  const errors = classes.series.find(({ groups }) => groups.statusClass === "5xx")?.values ?? [];
  const most = Math.max(0, ...errors);
  if (most === 0) return t("{calls} No server errors.", { calls });
  const at = classes.times[errors.indexOf(most)] ?? "";
  const time = new Intl.DateTimeFormat(reader().dates, {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone,
  }).format(new Date(at));
  const [worst] = troubled;
  const share = worst ? Math.round(worst.share * 100) : 0;
  const where = worst ? wherePeaked(share, worst.groups.domain || t("unknown paths")) : "";
  return t("{calls} 5xx peaked {time} ({count}){where}.", {
    calls,
    time,
    count: shortNumber(most),
    where,
  });
}
