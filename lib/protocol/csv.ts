/** A field of a CSV row (RFC 4180): quoted where it must be; a leading sign that a spreadsheet would take for a formula is defused. */
export function csvField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row of a CSV document, with the end of its line. */
export const csvLine = (fields: string[]) => `${fields.map(csvField).join(",")}\r\n`;
