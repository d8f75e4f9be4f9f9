/** What of the requests page lives in its address. */
export const requestFilters = [
  "requestId",
  "outcome",
  "status",
  "code",
  "operation",
  "apiKey",
  "user",
  "site",
  "address",
  "from",
  "to",
] as const;

export type RequestFilters = Record<(typeof requestFilters)[number], string>;

/** Where the requests page shows these, failed and succeeded ones. */
export function requestsPath(tenant: string, filters: Partial<RequestFilters>): string {
  return `/t/${tenant}/requests?${new URLSearchParams({ outcome: "all", ...filters })}`;
}
