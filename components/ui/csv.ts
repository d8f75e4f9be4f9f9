/** Text that a spreadsheet would run as a formula gets an apostrophe before it. */
function field(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines as CSV (RFC 4180), with the mark that lets spreadsheets read it as UTF-8. */
export function csv(lines: string[][]): string {
  return `\uFEFF${lines.map((line) => line.map(field).join(",")).join("\r\n")}\r\n`;
}
