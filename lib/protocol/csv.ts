/** A character that starts a formula in spreadsheets, also in full width; some spreadsheets separate fields by semicolons or tabs. */
const formula = /(^|[;\t\r\n])(?=[=+\-@\t\r＝＋－＠])/g;

/** A field of a CSV row (RFC 4180): quoted if necessary; a character that would start a formula is escaped. */
export function csvField(text: string): string {
  const safe = text.replaceAll(formula, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row of a CSV document, with the end of its line. */
export const csvLine = (fields: string[]) => `${fields.map(csvField).join(",")}\r\n`;
