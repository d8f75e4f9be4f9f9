import { csvLine } from "@/lib/protocol/csv";

/** Lines as CSV (RFC 4180), with the mark that lets spreadsheets read it as UTF-8. */
export const csv = (lines: string[][]): string => `\uFEFF${lines.map(csvLine).join("")}`;
