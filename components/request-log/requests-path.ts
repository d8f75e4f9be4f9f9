/** The filters that the requests page stores in its address. */
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

/** The filters of an address, whose parameters `read` knows. */
export const readRequestFilters = (read: (name: string) => string): RequestFilters =>
  Object.fromEntries(requestFilters.map((name) => [name, read(name)])) as RequestFilters;

/** The address of the requests page with these filters, for failed and succeeded requests. */
export function requestsPath(tenant: string, filters: Partial<RequestFilters>): string {
  return `/t/${tenant}/requests?${new URLSearchParams({ outcome: "all", ...filters })}`;
}

/** The page shows failed requests by default: "all", or "succeeded". */
export function asRequestsQuery({ outcome, ...filters }: RequestFilters): Record<string, string> {
  const given = Object.entries(filters).filter(([, value]) => value !== "");
  return {
    ...Object.fromEntries(given),
    ...(outcome !== "all" && { outcome: outcome || "failed" }),
  };
}
