import { csvField } from "@/lib/protocol/csv";
import type { Group } from "./values";

interface Counted {
  groups: Record<string, string>;
  values: number[];
}

/** One row for each bucket and series: JSON, NDJSON, or CSV with a header line. */
export function exportText(
  format: string,
  groups: readonly Group[],
  times: string[],
  series: Counted[],
): string {
  const rows = series.flatMap((one) =>
    times.map((time, index) => ({ time, groups: one.groups, count: one.values[index] ?? 0 })),
  );
  if (format === "text/csv") {
    const lines = rows.map((row) =>
      [
        row.time,
        ...groups.map((group) => csvField(row.groups[group] ?? "")),
        String(row.count),
      ].join(","),
    );
    return `${[["time", ...groups, "count"].join(","), ...lines].join("\r\n")}\r\n`;
  }
  if (format === "application/x-ndjson")
    return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  return JSON.stringify(rows);
}
