/** The parameters that the audit page stores in its address. */
export const auditFilters = ["action", "actor", "target", "requestId", "from", "to"] as const;

export type AuditFilters = Record<(typeof auditFilters)[number], string>;

/** The filters of an address, whose parameters `read` knows. */
export const readAuditFilters = (read: (name: string) => string): AuditFilters =>
  Object.fromEntries(auditFilters.map((name) => [name, read(name)])) as AuditFilters;

/** Converts days of the reader's calendar to the instants of the query; `to` is the last day, inclusive. */
export function asAuditQuery({ from, to, ...filters }: AuditFilters): Record<string, string> {
  const startOf = (day: string, days = 0) => {
    const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
    return new Date(year, month - 1, date + days).toISOString();
  };
  const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);
  const given = Object.entries(filters).filter(([, value]) => value !== "");
  return {
    ...Object.fromEntries(given),
    ...(isDay(from) && { from: startOf(from) }),
    ...(isDay(to) && { to: startOf(to, 1) }),
  };
}

/** The query of the first page. Empty when days are filtered, which depend on the browser's calendar. */
export const firstEntries = (filters: AuditFilters): Record<string, string> | undefined =>
  filters.from || filters.to ? undefined : { ...asAuditQuery(filters), limit: "50" };
