/** A sign that a spreadsheet takes for a formula, also in its full width; some spreadsheets part fields by semicolons or tabs. */
const formula = /(^|[;\t\r\n])(?=[=+\-@\t\r＝＋－＠])/g;

/** A field of a CSV row (RFC 4180): quoted where it must be; a sign that a spreadsheet would take for a formula is defused. */
export function csvField(text: string): string {
  const safe = text.replaceAll(formula, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row of a CSV document, with the end of its line. */
export const csvLine = (fields: string[]) => `${fields.map(csvField).join(",")}\r\n`;
