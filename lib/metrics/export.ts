import type { Group } from "./dimensions";

interface Counted {
  groups: Record<string, string>;
  values: number[];
}

/** Quoted where it must be; a leading sign that a spreadsheet would take for a formula is defused. */
function field(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One row for each bucket and series: JSON, NDJSON, or CSV with a header line. */
export function exportText(format: string, groups: readonly Group[], times: string[], series: Counted[]): string {
  const rows = series.flatMap((one) => times.map((time, index) => ({ time, groups: one.groups, count: one.values[index] ?? 0 })));
  if (format === "text/csv") {
    const lines = rows.map((row) => [row.time, ...groups.map((group) => field(row.groups[group] ?? "")), String(row.count)].join(","));
    return `${[["time", ...groups, "count"].join(","), ...lines].join("\r\n")}\r\n`;
  }
  if (format === "application/x-ndjson") return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  return JSON.stringify(rows);
}
