import type { MetricsData } from "./load";

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);
const totalOf = (counts: MetricsData["counts"]) =>
  sum(counts.series.map(({ values }) => sum(values)));

export function shortNumber(value: number): string {
  return new Intl.NumberFormat("en", {
    notation: value >= 100_000 ? "compact" : "standard",
    maximumFractionDigits: 2,
  }).format(value);
}

/** From 1,000 percent on, times say more. */
const maxPercent = 1000;

/** How far a number is from the one before: +12%, −3%, 14 times; empty where there was none before. */
export function changeWords(now: number, before: number): string {
  if (before === 0) return "";
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return "±0%";
  if (percent >= maxPercent) return `${shortNumber(Math.round(now / before))} times`;
  return `${percent > 0 ? "+" : "−"}${Math.abs(percent)}%`;
}

function change(now: number, before: number | undefined): string {
  const words = before === undefined ? "" : changeWords(now, before);
  return words ? `, ${words} vs previous period` : "";
}

/** The page in a sentence or two: for everybody, and for those who cannot see the chart. */
export function summarise(
  { counts, classes, previous, troubled }: MetricsData,
  zone: string,
): string {
  const total = totalOf(counts);
  if (total === 0) return "No calls in this range.";
  const calls = `${shortNumber(total)} calls${change(total, previous ? totalOf(previous) : undefined)}.`;
  const errors = classes.series.find(({ groups }) => groups.statusClass === "5xx")?.values ?? [];
  const most = Math.max(0, ...errors);
  if (most === 0) return `${calls} No server errors.`;
  const at = classes.times[errors.indexOf(most)] ?? "";
  const time = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone,
  }).format(new Date(at));
  const [worst] = troubled;
  const share = worst ? Math.round(worst.share * 100) : 0;
  const where = worst
    ? `, ${share === 100 ? "all" : `${share}%`} in ${worst.groups.domain || "unknown paths"}`
    : "";
  return `${calls} 5xx peaked ${time} (${shortNumber(most)})${where}.`;
}
