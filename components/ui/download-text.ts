import { csvLine } from "@/lib/protocol/csv";

/** Lines as CSV (RFC 4180), with the mark that lets spreadsheets read it as UTF-8. */
export const csv = (lines: string[][]): string => `\uFEFF${lines.map(csvLine).join("")}`;

/** Lets the browser save something as a file. */
export function downloadFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Lets the browser save a text as a file. */
export function downloadText(text: string, name: string, type = "text/plain"): void {
  downloadFile(new Blob([text], { type }), name);
}
