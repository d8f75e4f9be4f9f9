export type Row = Readonly<Record<string, unknown>>;

/** A text as one line of a terminal: control characters would move the cursor or change colours. */
function cell(value: unknown): string {
  const text =
    value === null || value === undefined
      ? ""
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "?");
}

/** A table with a heading and columns as wide as their widest cell. */
export function tableOf(rows: readonly Row[], columns: readonly string[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((name) => cell(row[name])))];
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((line) => line[index]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** Writes results to standard output, as a table for people or as JSON for programs. */
export class Output {
  private readonly isJson: boolean;
  private readonly write: (text: string) => void;

  constructor(isJson: boolean, write: (text: string) => void) {
    this.isJson = isJson;
    this.write = write;
  }

  rows(rows: readonly Row[], columns: readonly string[]): void {
    if (this.isJson) this.write(`${JSON.stringify(rows, undefined, 2)}\n`);
    else this.write(tableOf(rows, columns));
  }

  /** Writes one object, a field a line. */
  fields(row: Row): void {
    if (this.isJson) this.write(`${JSON.stringify(row, undefined, 2)}\n`);
    else
      this.write(
        Object.entries(row)
          .map(([name, value]) => `${name}: ${cell(value)}\n`)
          .join(""),
      );
  }

  /** Writes one of a stream of rows: a line of text or of NDJSON. */
  line(row: Row, columns: readonly string[]): void {
    const text = this.isJson
      ? JSON.stringify(row)
      : columns.map((name) => cell(row[name])).join("  ");
    this.write(`${text}\n`);
  }
}
