const lines: string[][] = [["", "measured", "required", "reached"]];

/** Records a figure, and whether it meets its limit. */
export function note(what: string, measured: string, required = "", isReached?: boolean): void {
  lines.push([what, measured, required, isReached === undefined ? "" : isReached ? "yes" : "no"]);
  process.stdout.write(`${what}: ${measured}${required ? ` (${required})` : ""}\n`);
}

/** Prints one figure per line. */
export function printTable(): void {
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  const text = lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .join("\n");
  process.stdout.write(`\n${text}\n`);
}

export const grouped = (value: number) => Math.round(value).toLocaleString("en");

export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
